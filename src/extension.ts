// Creates and connects all parts. Activation registers and returns, without network requests or waiting.
import path from "node:path";
import * as vscode from "vscode";
import { AgentCommands } from "./agents/host/commands.ts";
import { AgentTestCommands } from "./agentTests/host/commands.ts";
import { ChatCommands } from "./chat/host/commands.ts";
import { registerConnectionCommands } from "./connections/host/commands.ts";
import { Connections } from "./connections/host/connections.ts";
import { Explorer } from "./explorer/host/explorer.ts";
import { OpenedNamesStore } from "./explorer/host/openedNamesStore.ts";
import { commands, walkthrough } from "./ids.ts";
import type { AgentRef } from "./mindsdb/references.ts";
import { KnowledgeBaseCommands } from "./knowledgeBases/host/commands.ts";
import { DescriptionCache } from "./models/descriptionCache.ts";
import {
  registerModelActions,
  registerModelPages,
  type ModelPages,
} from "./models/host/commands.ts";
import { PredictNotebooks } from "./predict/host/notebooks.ts";
import { watchForFirstPrediction } from "./predict/host/firstPrediction.ts";
import { registerSampleServerCommands } from "./sample/host/commands.ts";
import { SampleServer } from "./sample/host/sampleServer.ts";
import { registerTables, type Tables } from "./tables/host/commands.ts";
import { Log } from "./shared/host/log.ts";
import { showErrorMessage } from "./shared/host/notifications.ts";
import { watchWalkthroughSteps } from "./shared/host/walkthroughSteps.ts";
import { agentTimeLimit } from "./shared/host/settings.ts";

/** The extension's exports, for tests that run inside VS Code. */
export interface Workbench {
  connections: Connections;
  agents: AgentCommands;
  agentTests: AgentTestCommands;
  explorer: Explorer;
  chats: ChatCommands;
  knowledgeBases: KnowledgeBaseCommands;
  models: ModelPages;
  tables: Tables;
  predict: PredictNotebooks;
  sampleServer: SampleServer;
}

let active: Workbench | undefined;

/**
 * Called by VS Code on the first activation event. A failure is shown to the user, which VS Code itself does not do, and
 * thrown again.
 */
export function activate(context: vscode.ExtensionContext): Workbench {
  const log = new Log();
  try {
    active = start(context, log);
    return active;
  } catch (error) {
    log.error("Activation failed", error);
    const showLog = vscode.l10n.t("Show Log");
    void showErrorMessage(
      vscode.l10n.t("Workbench for MindsDB could not start. See the log for details."),
      showLog,
    ).then((button) => {
      // The command for the log may be among those that are not registered.
      if (button === showLog) log.show();
    });
    throw error;
  }
}

function start(context: vscode.ExtensionContext, log: Log): Workbench {
  log.info(
    `${context.extension.id} ${(context.extension.packageJSON as { version: string }).version}`,
  );
  const connections = new Connections(context, log);
  const descriptions = new DescriptionCache();
  const explorer = new Explorer(
    connections,
    context.workspaceState,
    log,
    findLocalServer,
    descriptions,
    new OpenedNamesStore(context.globalState),
  );
  const sampleServer = new SampleServer(
    connections,
    log,
    path.join(context.globalStorageUri.fsPath, "sampleServer"),
  );
  // storageUri is undefined without an open folder.
  const storage = context.storageUri ?? context.globalStorageUri;
  const chats = new ChatCommands(
    {
      extensionUri: context.extensionUri,
      folder: path.join(context.globalStorageUri.fsPath, "chats"),
      formerFolder: context.storageUri && path.join(context.storageUri.fsPath, "chats"),
      servers: connections,
      log,
      timeLimit: agentTimeLimit,
    },
    () => explorer.pickAgent(vscode.l10n.t("Ask an Agent")),
  );
  const ask = (agent: AgentRef): void => {
    void chats.load().then((loaded) => loaded.open(agent));
  };
  const draftsFolder = path.join(context.globalStorageUri.fsPath, "drafts");
  const pickTable = async (title: string, connectionId?: string) =>
    (await import("./tables/host/pickTable.ts")).pickTable(connections, title, connectionId);
  const agents = new AgentCommands({
    extensionUri: context.extensionUri,
    servers: connections,
    changes: connections,
    log,
    tree: explorer,
    ask,
    draftsFolder,
  });
  const agentTests = new AgentTestCommands({
    servers: connections,
    state: context.workspaceState,
    log,
    ask: async (agent, question, signal) => {
      const run = await chats.askOnce(agent, question, signal);
      const secrets = connections.secrets(agent.connectionId);
      return { ...run, redact: (text) => secrets.redact(text) };
    },
    openRun: async (transcript) => (await chats.load()).openRun(transcript),
    activeTranscript: async () => (await chats.load()).active?.session.transcript,
  });
  const knowledgeBases = new KnowledgeBaseCommands(
    {
      extensionUri: context.extensionUri,
      servers: connections,
      changes: connections,
      log,
      askAgent: (draft, base) => void chats.askAbout(draft, () => explorer.pickReader(base)),
      draftsFolder,
      reveal: (knowledgeBase) => explorer.revealKnowledgeBase(knowledgeBase),
    },
    (title, connectionId) => explorer.pickKnowledgeBase(title, connectionId),
    pickTable,
  );
  const models = registerModelPages(
    {
      extensionUri: context.extensionUri,
      servers: connections,
      changes: connections,
      descriptions,
      log,
    },
    () => explorer.pickModel(vscode.l10n.t("Show a Model")),
  );
  const modelActions = registerModelActions({
    extensionUri: context.extensionUri,
    servers: connections,
    descriptions,
    log,
    state: context.workspaceState,
    draftsFolder,
    pickModel: (title) => explorer.pickModel(title),
    pickTable,
  });
  const tables = registerTables({
    extensionUri: context.extensionUri,
    servers: connections,
    changes: connections,
    log,
    reveal: (table) => explorer.revealTable(table),
  });
  const predict = new PredictNotebooks({
    servers: connections,
    descriptions,
    folder: path.join(context.globalStorageUri.fsPath, "results"),
    untitledScope: storage.fsPath,
    state: context.workspaceState,
    log,
    pickModel: (title, connectionId) => explorer.pickModel(title, connectionId),
  });

  context.subscriptions.push(
    log,
    knowledgeBases,
    models,
    modelActions,
    tables,
    predict,
    watchForFirstPrediction(),
    watchWalkthroughSteps(),
    connections,
    explorer,
    agents,
    agentTests,
    chats,
    sampleServer,
    registerConnectionCommands({
      connections,
      log,
      reveal: ({ id }) => explorer.revealConnection(id),
    }),
    registerSampleServerCommands(sampleServer, explorer, ask),
    vscode.commands.registerCommand(commands.logShow, () => log.show()),
    vscode.commands.registerCommand(commands.walkthroughOpen, () =>
      vscode.commands.executeCommand(
        "workbench.action.openWalkthrough",
        `${context.extension.id}#${walkthrough}`,
      ),
    ),
  );
  return {
    agents,
    agentTests,
    connections,
    explorer,
    chats,
    knowledgeBases,
    models,
    tables,
    predict,
    sampleServer,
  };
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
