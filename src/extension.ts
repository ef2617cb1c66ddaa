// Creates and connects all parts. Activation registers and returns, without network requests or waiting.
import path from "node:path";
import * as vscode from "vscode";
import { registerAgentCommands } from "./agents/host/commands.ts";
import { registerAgentTests } from "./agentTests/host/commands.ts";
import { ChatCommands } from "./chat/host/commands.ts";
import { registerConnectionCommands } from "./connections/host/commands.ts";
import { Connections } from "./connections/host/connections.ts";
import { registerDataSourceCommands } from "./dataSources/host/commands.ts";
import { Explorer } from "./explorer/host/explorer.ts";
import { OpenedNamesStore } from "./explorer/host/openedNamesStore.ts";
import { commands, walkthrough } from "./ids.ts";
import type { AgentRef } from "./mindsdb/references.ts";
import { registerKnowledgeBaseCommands } from "./knowledgeBases/host/commands.ts";
import { DescriptionCache } from "./models/descriptionCache.ts";
import { registerModelCommands } from "./models/host/commands.ts";
import { PredictNotebooks } from "./predict/host/notebooks.ts";
import { SqlFiles } from "./predict/host/sqlFiles.ts";
import { watchForFirstPrediction } from "./predict/host/firstPrediction.ts";
import { registerSampleServerCommands } from "./sample/host/commands.ts";
import { SampleServer } from "./sample/host/sampleServer.ts";
import { registerTables } from "./tables/host/commands.ts";
import { registerJobCommands } from "./jobs/host/commands.ts";
import { registerServerSettings } from "./serverSettings/host/commands.ts";
import { registerTriggerCommands } from "./triggers/host/commands.ts";
import { registerViewCommands } from "./views/host/commands.ts";
import { registerCommands, type TableOf } from "./shared/host/commands.ts";
import { Log } from "./shared/host/log.ts";
import { registerTextDocuments } from "./shared/host/textDocuments.ts";
import { watchWalkthroughSteps } from "./shared/host/walkthroughSteps.ts";
import { agentTimeLimit } from "./shared/host/settings.ts";

declare module "./shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerCommonCommands>> {}
}

/** The extension's exports, for tests that run inside VS Code. */
export interface Workbench {
  connections: Connections;
  agents: ReturnType<typeof registerAgentCommands>;
  agentTests: ReturnType<typeof registerAgentTests>;
  explorer: Explorer;
  chats: ChatCommands;
  knowledgeBases: ReturnType<typeof registerKnowledgeBaseCommands>;
  models: ReturnType<typeof registerModelCommands>["pages"];
  tables: ReturnType<typeof registerTables>;
  dataSources: ReturnType<typeof registerDataSourceCommands>;
  predict: PredictNotebooks;
  sqlFiles: SqlFiles;
  sampleServer: SampleServer;
}

let active: Workbench | undefined;

/**
 * Called by VS Code on the first activation event. A failure is shown to the user, which VS Code itself does not do, and
 * thrown again. Returns its parts to tests only: they hold credentials, and any extension can read another's exports.
 */
export function activate(context: vscode.ExtensionContext): Workbench | undefined {
  const log = new Log();
  try {
    active = start(context, log);
    return context.extensionMode === vscode.ExtensionMode.Production ? undefined : active;
  } catch (error) {
    log.error("Activation failed", error);
    void import("./shared/host/showActivationFailure.ts").then(({ showActivationFailure }) =>
      showActivationFailure(log),
    );
    throw error;
  }
}

function start(context: vscode.ExtensionContext, log: Log): Workbench {
  /** Disposes the part with the extension. */
  const disposeWithExtension = <Part extends vscode.Disposable>(part: Part): Part => {
    context.subscriptions.push(part);
    return part;
  };
  const { extensionUri, globalStorageUri, workspaceState } = context;
  const folder = (name: string): string => path.join(globalStorageUri.fsPath, name);
  const { version } = context.extension.packageJSON as { version: string };
  log.info(`${context.extension.id} ${version}`);
  // What is imported in the activation is read and compiled before it ends.
  setImmediate(() => {
    import("./shared/node/privateFiles.ts")
      .then(({ openStorageFolder }) => openStorageFolder(context.logUri.fsPath))
      .catch((error: unknown) => log.error("The log could not be made private", error));
  });
  disposeWithExtension(log);
  disposeWithExtension(registerCommonCommands(context, log));
  disposeWithExtension(registerTextDocuments());
  const connections = disposeWithExtension(new Connections(context, log));
  const commonOptions = { extensionUri, servers: connections, changes: connections, log };
  const draftsFolder = folder("drafts");
  const descriptions = new DescriptionCache();
  const explorer = disposeWithExtension(
    new Explorer(
      connections,
      workspaceState,
      log,
      findLocalServer,
      descriptions,
      new OpenedNamesStore(context.globalState),
    ),
  );
  disposeWithExtension(
    registerConnectionCommands({
      connections,
      log,
      reveal: ({ id }) => explorer.revealConnection(id),
    }),
  );
  const chats = disposeWithExtension(
    new ChatCommands(
      {
        ...commonOptions,
        onDidChangeConnection: connections.onDidChange,
        secrets: context.secrets,
        version,
        folder: folder("chats"),
        formerFolder: context.storageUri && path.join(context.storageUri.fsPath, "chats"),
        timeLimit: agentTimeLimit,
      },
      () => explorer.pickAgent(vscode.l10n.t("Ask an Agent")),
    ),
  );
  const openChat = (agent: AgentRef): void => {
    void chats.load().then((loaded) => loaded.open(agent));
  };
  const sampleServer = disposeWithExtension(
    new SampleServer(
      connections,
      log,
      folder("sampleServer"),
      context.environmentVariableCollection,
    ),
  );
  disposeWithExtension(registerSampleServerCommands(sampleServer, explorer, openChat));
  const agents = disposeWithExtension(
    registerAgentCommands({ ...commonOptions, tree: explorer, ask: openChat, draftsFolder }),
  );
  const agentTests = disposeWithExtension(
    registerAgentTests({
      ...commonOptions,
      comparisonsFolder: folder("comparisons"),
      state: workspaceState,
      ask: async (agent, question, signal) => {
        const run = await chats.askOnce(agent, question, signal);
        const secrets = connections.secrets(agent.connectionId);
        return { ...run, redact: (text) => secrets.redact(text) };
      },
      exportTable: async (table, name) =>
        (await import("./chat/host/exportTable.ts")).exportTable(table, { name, log }),
      openRun: async (transcript) => (await chats.load()).openRun(transcript),
      activeTranscript: async () => (await chats.load()).active?.session.transcript,
    }),
  );
  const pickTable = async (title: string, connectionId?: string) =>
    (await import("./tables/host/pickTable.ts")).pickTable(connections, title, connectionId);
  const knowledgeBases = disposeWithExtension(
    registerKnowledgeBaseCommands(
      {
        ...commonOptions,
        askAgent: (draft, base) => void chats.askAbout(draft, () => explorer.pickReader(base)),
        draftsFolder,
        reveal: (knowledgeBase) => explorer.revealKnowledgeBase(knowledgeBase),
      },
      (title, connectionId) => explorer.pickKnowledgeBase(title, connectionId),
      pickTable,
    ),
  );
  const { pages: models } = disposeWithExtension(
    registerModelCommands({
      ...commonOptions,
      descriptions,
      state: workspaceState,
      draftsFolder,
      pickModel: (title) => explorer.pickModel(title),
      pickTable,
    }),
  );
  const tables = disposeWithExtension(
    registerTables({ ...commonOptions, reveal: (table) => explorer.revealTable(table) }),
  );
  disposeWithExtension(
    registerViewCommands({
      ...commonOptions,
      draftsFolder,
      reveal: (view) => explorer.revealOfProject("views", view),
    }),
  );
  disposeWithExtension(
    registerJobCommands({
      ...commonOptions,
      draftsFolder,
      reveal: (job) => explorer.revealOfProject("jobs", job),
    }),
  );
  disposeWithExtension(registerServerSettings({ ...commonOptions, draftsFolder }));
  disposeWithExtension(
    registerTriggerCommands({
      ...commonOptions,
      draftsFolder,
      pickTable,
      reveal: (trigger) => explorer.revealOfProject("triggers", trigger),
    }),
  );
  const dataSources = disposeWithExtension(
    registerDataSourceCommands({
      ...commonOptions,
      draftsFolder,
      reveal: (source, kind) =>
        explorer.revealOfServer(kind === "ml" ? "mlEngines" : "data", source),
    }),
  );
  const predict = disposeWithExtension(
    new PredictNotebooks({
      ...commonOptions,
      descriptions,
      folder: folder("results"),
      // Without an open folder there is no storageUri.
      untitledScope: (context.storageUri ?? globalStorageUri).fsPath,
      state: workspaceState,
      pickModel: (title, connectionId) => explorer.pickModel(title, connectionId),
    }),
  );
  const sqlFiles = disposeWithExtension(
    new SqlFiles({
      ...commonOptions,
      descriptions,
      state: workspaceState,
      historyFolder: folder("sqlHistory"),
      cells: predict,
      resultsFolder: folder("sqlResults"),
      workspace: context.storageUri?.fsPath,
    }),
  );
  disposeWithExtension(watchForFirstPrediction());
  disposeWithExtension(watchWalkthroughSteps());
  return {
    agents,
    agentTests,
    connections,
    explorer,
    chats,
    knowledgeBases,
    models,
    tables,
    dataSources,
    predict,
    sqlFiles,
    sampleServer,
  };
}

/** The commands that belong to no feature. */
function registerCommonCommands({ extension }: vscode.ExtensionContext, log: Log) {
  return registerCommands({
    [commands.logShow]: () => log.show(),
    [commands.fileReopenWithEncoding]: async (uri: string) =>
      (await import("./shared/host/reopenWithEncoding.ts")).reopenWithEncoding(uri),
    [commands.walkthroughOpen]: () =>
      vscode.commands.executeCommand(
        "workbench.action.openWalkthrough",
        `${extension.id}#${walkthrough}`,
      ),
  });
}

/** VS Code waits for this on exit, so that the last answers are saved. */
export async function deactivate(): Promise<void> {
  await active?.chats.end();
}

/** Probes MindsDB's default address on this machine. */
async function findLocalServer(): Promise<{ version?: string } | undefined> {
  const { probeLocalServer } = await import("./connections/host/addConnection.ts");
  return probeLocalServer();
}
