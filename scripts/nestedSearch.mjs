// A lint rule: no search through a list for each item of another list, which takes time by both lengths multiplied.
// Where one of the lists is always short, a comment says so, on the line of the search or the one before: "// few: …".
const searches = new Set([
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "includes",
  "indexOf",
  "lastIndexOf",
  "some",
]);

/** Methods that call their first argument for each item. */
const loops = new Set([
  "every",
  "filter",
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "flatMap",
  "forEach",
  "from",
  "map",
  "reduce",
  "reduceRight",
  "some",
  "sort",
  "toSorted",
]);

const fewPattern = /^\s*few: \S/;

/** @type {import("eslint").Rule.RuleModule} */
export const nestedSearch = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      search:
        "{{name}} searches a list for each item of another: use a Set or a Map, or say which list is short: // few: …",
      unused: "No search in a loop needs this comment.",
    },
  },
  create(context) {
    const { sourceCode } = context;
    const services = sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    const comments = sourceCode.getAllComments().filter(({ value }) => fewPattern.test(value));
    const used = new Set();

    /** The variable of an identifier; undefined for globals. */
    function findVariable(identifier) {
      for (let scope = sourceCode.getScope(identifier); scope; scope = scope.upper) {
        const variable = scope.set.get(identifier.name);
        if (variable) return variable.defs.length > 0 ? variable : undefined;
      }
      return undefined;
    }

    /** Whether a list has the same few items whatever the program works on: it is written out in the source. */
    function isConstant(node) {
      if (node.type === "ArrayExpression") {
        return node.elements.every(
          (one) => one?.type !== "SpreadElement" || isConstant(one.argument),
        );
      }
      if (node.type.startsWith("TS") && node.expression) return isConstant(node.expression);
      const type = services.getTypeAtLocation(node);
      if (checker.isTupleType(type) && !type.target.hasRestElement) return true;
      if (node.type !== "Identifier") return false;
      const variable = findVariable(node);
      const definition = variable?.defs[0];
      if (definition?.type === "ImportBinding") return isConstantImport(node);
      if (definition?.type !== "Variable" || definition.parent.kind !== "const") return false;
      const { id, init } = definition.node;
      if (id !== definition.name || !init || variable.references.some(isGrown)) return false;
      return isConstant(init) || isOfModule(definition.parent);
    }

    /** Whether a list gets more items here. */
    function isGrown({ identifier: { parent } }) {
      return (
        parent.type === "MemberExpression" && /^(push|splice|unshift)$/.test(parent.property.name)
      );
    }

    /** What a module computes once, before there is anything to work on. */
    function isOfModule(declaration) {
      return /^(Program|ExportNamedDeclaration)$/.test(declaration.parent.type);
    }

    function isConstantImport(node) {
      const symbol = services.getSymbolAtLocation(node);
      const { valueDeclaration } = symbol ? checker.getAliasedSymbol(symbol) : {};
      return valueDeclaration?.parent?.parent?.parent?.statements !== undefined;
    }

    function isArray(node) {
      const type = checker.getNonNullableType(services.getTypeAtLocation(node));
      const parts = type.isUnion() ? type.types : [type];
      return parts.some((part) => {
        const list = checker.getBaseConstraintOfType(part) ?? part;
        return checker.isArrayType(list) || checker.isTupleType(list);
      });
    }

    /** Whether a list belongs to the item that a loop is at: all such lists together are as long as what is looped over. */
    function isOfItem(node, loop) {
      switch (node?.type) {
        case "MemberExpression":
          return isOfItem(node.object, loop);
        case "CallExpression": {
          const { callee } = node;
          const isOfObject =
            callee.type === "MemberExpression" &&
            (callee.object.type !== "Identifier" || findVariable(callee.object));
          return isOfObject
            ? isOfItem(callee.object, loop)
            : node.arguments.some((argument) => isOfItem(argument, loop));
        }
        case "ArrayExpression":
          return node.elements.every((one) => isOfItem(one?.argument ?? one, loop));
        case "AwaitExpression":
          // Reading it takes longer than searching it.
          return true;
        case "LogicalExpression":
          return isOfItem(node.left, loop);
        case "ChainExpression":
        case "TSNonNullExpression":
        case "TSAsExpression":
          return isOfItem(node.expression, loop);
        case "Identifier": {
          const definition = findVariable(node)?.defs[0];
          if (!definition || !isWithin(definition.name, loop)) return false;
          const { init } = definition.type === "Variable" ? definition.node : {};
          return init ? isOfItem(init, loop) : true;
        }
        default:
          return false;
      }
    }

    /** The loop that runs a node again and again: a statement, or a function that is called for each item. */
    function findLoop(node) {
      for (let at = node; at.parent; at = at.parent) {
        const { parent } = at;
        if (/^(For|While|DoWhile)/.test(parent.type)) {
          const isOnce = at === parent.init || at === parent.right;
          if (!isOnce && !(parent.right && isConstant(parent.right))) return parent;
        }
        if (!/Function/.test(at.type)) continue;
        if (parent.type !== "CallExpression" || !parent.arguments.includes(at)) return undefined;
        const { callee } = parent;
        if (callee.type !== "MemberExpression" || !loops.has(callee.property.name)) continue;
        const list = callee.property.name === "from" ? parent.arguments[0] : callee.object;
        if (!isConstant(list)) return at;
      }
      return undefined;
    }

    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== "MemberExpression" || callee.computed) return;
        const { name } = callee.property;
        if (!searches.has(name)) return;
        const loop = findLoop(node);
        if (!loop || !isArray(callee.object)) return;
        if (isConstant(callee.object) || isOfItem(callee.object, loop)) return;
        const { line } = callee.property.loc.start;
        const few = comments.find(({ loc }) => loc.end.line === line || loc.end.line === line - 1);
        if (few) used.add(few);
        else context.report({ node: callee.property, messageId: "search", data: { name } });
      },
      "Program:exit"() {
        for (const comment of comments) {
          if (!used.has(comment)) context.report({ loc: comment.loc, messageId: "unused" });
        }
      },
    };

    function isWithin(node, loop) {
      return node.range[0] >= loop.range[0] && node.range[1] <= loop.range[1];
    }
  },
};
