// Lint: type-aware rules everywhere, and the walls between the rooms.
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";
import { nestedSearch } from "./scripts/nestedSearch.mjs";
import {
  foreignArguments,
  foreignTexts,
  modalDialogs,
  plainTextFiles,
} from "./scripts/plainTexts.mjs";

const features = [
  "connections",
  "explorer",
  "agents",
  "agentTests",
  "chat",
  "predict",
  "models",
  "knowledgeBases",
  "dataSources",
  "serverSettings",
  "views",
  "jobs",
  "triggers",
  "tables",
  "sample",
];

const vscodeOutside = {
  name: "vscode",
  message: "vscode is imported in host/ and extension.ts only.",
};
const hostOrPage = {
  group: ["**/host/**", "**/page/**"],
  message: "A feature's top knows neither its host nor its page.",
};
const pageFromHost = {
  group: ["**/page/**"],
  message: "Host and page meet at the feature's top only.",
};
const hostFromPage = {
  group: ["**/host/**"],
  message: "Host and page meet at the feature's top only.",
};
const node = { group: ["node:*"], message: "Pages use this file too: no Node here." };

/** What may not be imported from so deep in a room that could be published by itself. */
const outside = (depth) => ({
  regex: `^(\\.\\./){${depth}}`,
  message: "This room stands alone: it imports nothing from outside of it.",
});

/** What a feature's host or page may not import: another feature's host or page (types count). */
const otherFeatures = (feature) => ({
  group: features
    .filter((name) => name !== feature)
    .flatMap((name) => [`**/${name}/host/**`, `**/${name}/page/**`]),
  message:
    "What you need of another feature is an interface at its top; extension.ts hands it over.",
});

const restrict = (files, options) => ({
  files,
  rules: { "no-restricted-imports": ["error", options] },
});

/** What is stored can hold questions, answers and rows: nobody else on the machine may read it. */
const openFolders = ["mkdir", "mkdirSync"].map((property) => ({
  property,
  message: "Use shared/node/privateFiles.ts.",
}));

/** It drops `__proto__`, `prototype` and `constructor`, which servers, files and users can name things, too. */
const records = [
  { object: "v", property: "record", message: "Use recordOf of mindsdb/recordOf.ts." },
];

/** The export of texts to translate finds calls of l10n.t with a text, and no others. */
const texts = [
  {
    selector: "VariableDeclarator[init.property.name='l10n'] > ObjectPattern",
    message: "Call l10n.t by its whole name: the export does not find aliases.",
  },
  {
    selector:
      "CallExpression[callee.property.name='t']:matches([callee.object.name='l10n'], [callee.object.property.name='l10n']) > :not(Literal):not(ObjectExpression).arguments:first-child",
    message: "The first argument of l10n.t is a text: the export cannot know any other.",
  },
];

/** Preact sets HTML by these names, also as keys of an object that is spread. */
const html = [
  ...["JSXIdentifier[name", "Identifier[name", "Literal[value"].map((node) => ({
    selector: `${node}=/^(dangerouslySetInnerHTML|innerHTML|outerHTML|srcdoc|srcDoc)$/]`,
    message: "Text of a server reaches a page as text only.",
  })),
  {
    selector: "JSXOpeningElement[name.name=/^[a-z]/] > JSXSpreadAttribute",
    message: "Name an element's attributes: an object can hold any, of HTML too.",
  },
];

/** A command's arguments are checked by the type of its handler. */
const typedCommands = {
  selector:
    "CallExpression[callee.object.property.name='commands'][callee.property.name=/^(register|execute)Command$/] > MemberExpression.arguments[object.name='commands']",
  message: "Use registerCommands() and executeCommand() of shared/host/commands.ts.",
};

const restrictSyntax = (files, ...restricted) => ({
  files,
  ignores: ["src/shared/host/l10n.ts"],
  rules: { "no-restricted-syntax": ["error", ...texts, ...foreignArguments, ...restricted] },
});

const restrictProperties = (files, properties) => ({
  files,
  rules: { "no-restricted-properties": ["error", ...properties] },
});

/** A page draws a moment after an action, on a busy machine later. */
const oneShotReads = [
  {
    selector:
      'CallExpression[callee.object.name="assert"] AwaitExpression' +
      "[argument.callee.property.name=/^(innerText|allInnerTexts|textContent|inputValue|getAttribute|count|isVisible|isChecked|find|children|agentsIn|lastRun)$/]" +
      ':not(CallExpression[callee.name="eventually"] AwaitExpression)' +
      ':not(CallExpression[callee.property.name="when"] AwaitExpression)',
    message: "This is read once, perhaps before it is drawn: use lib/expect.ts or eventually().",
  },
  ...[
    "[arguments.0.object.callee.property.name=/^(requests|logged)$/][arguments.1.value>0]",
    "[arguments.0.callee.property.name=/^(requests|logged)$/][arguments.1.elements.length>0]",
  ].map((log) => ({
    selector:
      `CallExpression[callee.object.name="assert"]${log}` +
      ':not(CallExpression[callee.name="eventually"] CallExpression)',
    message: "The request may still be on its way: use eventually().",
  })),
  {
    selector:
      "VariableDeclarator[init.argument.callee.property.name='shown'] > ObjectPattern > Property[key.name!='message']" +
      ':not(CallExpression[callee.name="eventually"] Property)',
    message: "Buttons and columns come after the rest: use when().",
  },
];

/** VS Code gives the focus to what has just opened, and draws things again: a key, a scroll or a click is lost then. */
const oneShotKeys =
  "CallExpression[callee.property.name=/^(press|type|insertText)$/]:matches([callee.object.name='keyboard'], [callee.object.property.name='keyboard'])";
const oneShotActions = [
  oneShotKeys,
  "CallExpression[callee.property.name='wheel']",
  "AssignmentExpression[left.property.name=/^scroll(Top|Left)$/]",
].map((action) => ({
  selector: `${action}:not(CallExpression[callee.name=/^(eventually|copies|pressed|withSuggestions)$/] *)`,
  message: "It may be lost: repeat it inside eventually() until its effect is seen, as lib/ does.",
}));

const oneShotLocatorKeys = {
  selector:
    "CallExpression[callee.property.name='press']:not([callee.object.name=/^(editor|quickInput|keyboard)$/])" +
    ":not([callee.object.property.name=/^(quickInput|keyboard)$/])" +
    ':not(CallExpression[callee.name="eventually"] *)',
  message: "The window may have taken the focus from the page: use pressOnce() of lib/once.ts.",
};

/** A page test's locators and mouse wait until the page has drawn what they did (test/page/pageTiming.ts). */
const oneShotPageKeys = {
  selector: oneShotKeys,
  message: "The focus may not be there yet: use the press() of what has to have it.",
};
const oneShotPageWaits = [
  {
    selector: "CallExpression[callee.property.name='waitForTimeout']",
    message:
      "A busy machine takes longer: wait for what is to be seen, with eventually() or drawn().",
  },
  {
    selector:
      "Property[key.name='timeout'][value.value<30000]:not(CallExpression[callee.name='eventually'] *)",
    message: "A busy machine takes longer: 30 s is the default.",
  },
];

/** A host test reads and does things while VS Code's window, another process, is still busy. */
const hostRaces = [
  {
    selector: "MemberExpression[property.name='readText']",
    message: "The copy may still be on its way: use copied().",
  },
  {
    selector:
      "MemberExpression[property.name=/^active(Text|Notebook)Editor$/]:not(CallExpression[callee.name=/^(until|eventually|actUntil)$/] *)",
    message: "The editor may not be active yet: use until().",
  },
  {
    selector:
      "CallExpression[callee.property.name='executeCommand'][arguments.0.value=/^workbench\\.action\\./]:not(CallExpression[callee.name='actUntil'] *)",
    message: "It may be lost: use closeAllEditors(), or actUntil() until its effect is seen.",
  },
];

/** How fast a machine is must not decide whether a test passes. */
const timedAsserts = [
  {
    selector:
      "CallExpression[callee.object.name='assert'] BinaryExpression[operator=/^<=?$/] CallExpression[callee.object.name='performance'][callee.property.name='now']",
    message: "Measure speed in test/bench, or growth with test/linearTime.ts.",
  },
];

export default defineConfig(
  { ignores: ["dist/", "out/", "node_modules/", "test/fixtures/"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.recommendedTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": "error",
      // An empty setting or variable means "none", so || is what is meant for texts.
      "@typescript-eslint/prefer-nullish-coalescing": [
        "error",
        { ignorePrimitives: { string: true } },
      ],
      "@typescript-eslint/dot-notation": "off",
      "no-duplicate-imports": ["error", { allowSeparateTypeImports: true }],
      // Without braces only on one line.
      curly: ["error", "multi-line"],
      "@typescript-eslint/consistent-type-definitions": "off",
      // Features add the types of their commands to an interface.
      "@typescript-eslint/no-empty-object-type": [
        "error",
        { allowInterfaces: "with-single-extends" },
      ],
    },
  },
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: { globals: { console: "readonly", process: "readonly", URL: "readonly" } },
  },

  // The rooms. Later entries replace earlier ones for the files they name.
  restrict(["src/**/*.{ts,tsx}"], { paths: [vscodeOutside], patterns: [hostOrPage] }),
  restrict(["src/{chat,agents,shared}/*.ts", "src/chat/{suggestions,tables}/*.ts"], {
    paths: [vscodeOutside],
    patterns: [hostOrPage, node],
  }),
  restrict(["src/mindsdb/*.ts"], { paths: [vscodeOutside], patterns: [hostOrPage, outside(1)] }),
  restrict(["src/sample/*/*.ts"], {
    paths: [vscodeOutside],
    patterns: [
      hostOrPage,
      {
        ...outside(2),
        regex:
          "^(\\.\\./){2}(?!mindsdb/matchWildcards\\.ts$|shared/(node/privateFiles|hasErrorCode)\\.ts$)",
      },
    ],
  }),
  restrict(
    ["src/mindsdb/{agentFields,cutText,dataPatterns,errors,json,references,matchWildcards}.ts"],
    {
      paths: [vscodeOutside],
      patterns: [node, outside(1)],
    },
  ),
  restrict(["src/mindsdb/*/*.ts"], {
    paths: [vscodeOutside],
    patterns: [outside(2)],
  }),
  restrict(["src/mindsdb/stream/*.ts", "src/mindsdb/redact/{redact,secrets,secretNames}.ts"], {
    paths: [vscodeOutside],
    patterns: [node, outside(2)],
  }),
  restrict(["src/shared/host/**/*.ts"], { patterns: [pageFromHost] }),
  restrict(["src/shared/page/**/*.{ts,tsx}"], {
    paths: [vscodeOutside],
    patterns: [hostFromPage, node],
  }),
  ...features.flatMap((feature) => [
    restrict([`src/${feature}/host/**/*.ts`], { patterns: [pageFromHost, otherFeatures(feature)] }),
    restrict([`src/${feature}/page/**/*.{ts,tsx}`], {
      paths: [vscodeOutside],
      patterns: [hostFromPage, node, otherFeatures(feature)],
    }),
  ]),
  restrict(["src/extension.ts"], {}),
  restrictSyntax(["src/**/*.{ts,tsx}"], modalDialogs, typedCommands),
  restrictSyntax(["src/shared/host/consent.ts", "src/explorer/host/projectActions.ts"]),
  {
    files: ["src/**/*.tsx"],
    rules: { "no-restricted-syntax": ["error", ...texts, ...html] },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { workbench: { rules: { "nested-search": nestedSearch } } },
    rules: { "workbench/nested-search": "error" },
  },
  // One entry: of several for a file, only the last one's rule holds.
  restrictProperties(["src/**/*.{ts,tsx}"], [...foreignTexts, ...openFolders, ...records]),
  restrictProperties(["src/sample/**/*.ts"], [...foreignTexts, ...openFolders]),
  restrictProperties([plainTextFiles], [...openFolders, ...records]),
  restrictProperties(["src/shared/node/privateFiles.ts"], [...foreignTexts, ...records]),
  {
    // Where text of a server reaches a page it goes through textContent or the sanitised Markdown, never as HTML.
    files: ["src/**/page/**/*.{ts,tsx}"],
    rules: {
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "srcdoc"].map((property) => ({
          property,
          message: "Build elements, or use shared/page/markdownElement.ts.",
        })),
      ],
    },
  },
  {
    files: ["test/e2e/**/*.test.ts", "test/mindsdb/{*Journey,sqlFiles}.test.ts"],
    rules: {
      "no-restricted-syntax": ["error", ...oneShotReads, ...oneShotActions, oneShotLocatorKeys],
    },
  },
  {
    files: ["test/page/*.test.ts"],
    rules: { "no-restricted-syntax": ["error", oneShotPageKeys, ...oneShotPageWaits] },
  },
  {
    // Their keys go to whatever has the focus, which is what they test.
    files: ["test/page/{chat,observations,savedRun}.test.ts"],
    rules: { "no-restricted-syntax": ["error", ...oneShotPageWaits] },
  },
  {
    files: ["test/unit/**/*.ts"],
    rules: { "no-restricted-syntax": ["error", ...timedAsserts] },
  },
  {
    files: ["test/host/*.test.ts"],
    rules: { "no-restricted-syntax": ["error", ...timedAsserts, ...hostRaces] },
  },
  {
    // mocha's chains and asserts on unknown answers.
    files: ["{scripts,test}/**/*.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-floating-promises": "error",
    },
  },
);
