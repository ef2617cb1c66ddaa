// Ids shared by package.json and the code. A test compares both.

export const extensionId = "mindsdb-workbench-community.mindsdb-workbench";

const prefix = "mindsdbWorkbench.";

/** Ids as VS Code knows them. Written out, they would be a thirtieth of what is loaded at activation. */
function withPrefix<T extends Record<string, string>>(
  names: T,
): { readonly [Key in keyof T]: `${typeof prefix}${T[Key]}` } {
  const ids = Object.entries(names).map(([key, name]) => [key, prefix + name]);
  return Object.fromEntries(ids) as { readonly [Key in keyof T]: `${typeof prefix}${T[Key]}` };
}

export const commands = withPrefix({
  connectionAdd: "connection.add",
  connectionConnectLocal: "connection.connectLocal",
  connectionSignIn: "connection.signIn",
  connectionSignOut: "connection.signOut",
  connectionEdit: "connection.edit",
  connectionRename: "connection.rename",
  connectionCopyAddress: "connection.copyAddress",
  connectionSetProtection: "connection.setProtection",
  connectionShowMenu: "connection.showMenu",
  connectionDiagnose: "connection.diagnose",
  serverSettings: "server.settings",
  connectionRemove: "connection.remove",
  sampleServerStart: "sampleServer.start",
  sampleServerTry: "sampleServer.try",
  sampleServerStop: "sampleServer.stop",
  sampleServerReset: "sampleServer.reset",
  explorerRefresh: "explorer.refresh",
  explorerCopyName: "explorer.copyName",
  explorerFind: "explorer.find",
  explorerOpenByName: "explorer.openByName",
  explorerForgetName: "explorer.forgetName",
  explorerDeleteSelected: "explorer.deleteSelected",
  explorerShowStatement: "explorer.showStatement",
  agentAsk: "agent.ask",
  agentShow: "agent.show",
  agentCreate: "agent.create",
  agentQuickCreate: "agent.quickCreate",
  agentEdit: "agent.edit",
  agentDuplicate: "agent.duplicate",
  agentCompare: "agent.compare",
  agentDelete: "agent.delete",
  knowledgeBaseShow: "knowledgeBase.show",
  knowledgeBaseCreate: "knowledgeBase.create",
  knowledgeBaseEdit: "knowledgeBase.edit",
  knowledgeBaseDelete: "knowledgeBase.delete",
  knowledgeBaseCopyStatement: "knowledgeBase.copyStatement",
  tablePreview: "table.preview",
  tableCopySelect: "table.copySelect",
  tableUseInAgent: "table.useInAgent",
  tableAddToKnowledgeBase: "table.addToKnowledgeBase",
  tableUpload: "table.upload",
  tableDrop: "table.drop",
  dataSourceConnect: "dataSource.connect",
  dataSourceEdit: "dataSource.edit",
  dataSourceCopyAsSql: "dataSource.copyAsSql",
  dataSourceReconnect: "dataSource.reconnect",
  dataSourceDisconnect: "dataSource.disconnect",
  dataSourceInstallDriver: "dataSource.installDriver",
  knowledgeBaseBrowse: "knowledgeBase.browseDocuments",
  knowledgeBaseAddContent: "knowledgeBase.addContent",
  modelShow: "model.show",
  modelPredict: "model.predict",
  modelTrain: "model.train",
  modelRetrain: "model.retrain",
  modelFinetune: "model.finetune",
  modelUseVersion: "model.useVersion",
  modelCompareVersions: "model.compareVersions",
  modelDeleteVersion: "model.deleteVersion",
  modelDelete: "model.delete",
  tableTrainModel: "table.trainModel",
  projectCreate: "project.create",
  projectDelete: "project.delete",
  viewCreate: "view.create",
  viewEdit: "view.edit",
  viewDelete: "view.delete",
  jobShow: "job.show",
  jobCreate: "job.create",
  jobEdit: "job.edit",
  jobDelete: "job.delete",
  triggerShow: "trigger.show",
  triggerCreate: "trigger.create",
  triggerDelete: "trigger.delete",
  mlEngineShow: "mlEngine.show",
  mlEngineCreate: "mlEngine.create",
  mlEngineDelete: "mlEngine.delete",
  mlEngineCopyAsSql: "mlEngine.copyAsSql",
  queryCancel: "query.cancel",
  predictNew: "predict.new",
  predictNewSql: "predict.newSql",
  predictAddSqlCell: "predict.addSqlCell",
  predictFromFile: "predict.fromFile",
  predictChangeModel: "predict.changeModel",
  predictChooseRows: "predict.chooseRows",
  predictWhatIf: "predict.whatIf",
  predictCompareRuns: "predict.compareRuns",
  predictOpenRows: "predict.openRows",
  sqlNewFile: "sql.newFile",
  sqlUseLanguage: "sql.useLanguage",
  sqlRunStatement: "sql.runStatement",
  sqlRunFile: "sql.runFile",
  sqlStop: "sql.stop",
  sqlCreateView: "sql.createView",
  sqlChooseConnection: "sql.chooseConnection",
  sqlChooseProject: "sql.chooseProject",
  sqlGoToDefinition: "sql.goToDefinition",
  sqlQueryItem: "sql.queryItem",
  sqlShowHistory: "sql.showHistory",
  chatNew: "chat.new",
  chatOpen: "chat.open",
  chatShow: "chat.show",
  chatRename: "chat.rename",
  chatPin: "chat.pin",
  chatUnpin: "chat.unpin",
  chatDelete: "chat.delete",
  chatStop: "chat.stop",
  chatRetry: "chat.retry",
  chatShowRawEvents: "chat.showRawEvents",
  chatExport: "chat.export",
  chatSaveRun: "chat.saveRun",
  chatOpenSavedRun: "chat.openSavedRun",
  chatExportTrace: "chat.exportTrace",
  chatSendTrace: "chat.sendTrace",
  chatCompare: "chat.compare",
  chatAskAboutSelection: "chat.askAboutSelection",
  chatFocusLastAnswer: "chat.focusLastAnswer",
  agentTestNew: "agentTest.new",
  agentTestSave: "agentTest.save",
  agentTestOpenRun: "agentTest.openRun",
  agentTestAddProvider: "agentTest.addProvider",
  agentTestExport: "agentTest.exportResults",
  fileReopenWithEncoding: "file.reopenWithEncoding",
  logShow: "log.show",
  walkthroughOpen: "walkthrough.open",
} as const);

export const views = {
  container: "mindsdbWorkbench",
  explorer: "mindsdbWorkbench.explorer",
  conversations: "mindsdbWorkbench.conversations",
  /** In VS Code's panel. */
  sqlContainer: "mindsdbWorkbenchSql",
  sqlResults: "mindsdbWorkbench.sqlResults",
} as const;

export const panels = withPrefix({
  chat: "chat",
  model: "model",
  modelTrain: "modelTrain",
  knowledgeBase: "knowledgeBase",
  knowledgeBaseDocuments: "knowledgeBaseDocuments",
  knowledgeBaseFill: "knowledgeBaseFill",
  knowledgeBaseForm: "knowledgeBaseForm",
  agent: "agent",
  table: "table",
  agentForm: "agentForm",
  dataSourceForm: "dataSourceForm",
  mlEngine: "mlEngine",
  viewForm: "viewForm",
  job: "job",
  jobForm: "jobForm",
  serverSettings: "serverSettings",
  trigger: "trigger",
  triggerForm: "triggerForm",
  agentResults: "agentResults",
  predictWhatIf: "predictWhatIf",
  sqlResult: "sqlResult",
} as const);

/** Custom editors, by the files that they open. */
export const editors = {
  savedRun: "mindsdbWorkbench.savedRun",
} as const;

export const walkthrough = "firstSteps";

/** Schemes of read-only documents that VS Code restores after a reload; each has its activation event. */
export const fileSystems = {
  /** Texts that are in their URIs. */
  texts: "mindsdb-workbench-text",
  /** Answers of agents that are compared. */
  answers: "mindsdb-workbench-answer",
} as const;

/** Of documents with a text of a conversation. */
export const chatTextScheme = "mindsdb-workbench-chat";

/** Of documents with a question that is too long for a dialog. */
export const questionScheme = "mindsdb-workbench-question";

/** Ids of the predict notebook and its renderer, and its file extension. */
export const notebooks = {
  type: "mindsdbWorkbench.predict",
  renderer: "mindsdbWorkbench.result",
  mime: "application/vnd.mindsdb-workbench.result+json",
  ending: ".predict.md",
} as const;

/** The language of SQL files and SQL cells for MindsDB. The language "sql" stays that of others. */
export const sqlLanguage = "mindsdb-sql";

/** Where a workspace keeps which files of the language "sql" are MindsDB's. */
export const sqlLanguagesKey = "sql.languages";

/** Where a workspace keeps the values of parameters, which are in no file. */
export const sqlParametersKey = "sql.parameters";

/** Where a workspace keeps whether the results of SQL files are visible. */
export const sqlResultsVisibleKey = "sql.areResultsVisible";

/** Where a workspace keeps the trainings that a window waits for. */
export const watchedTrainingsKey = "watchedTrainings";

/** Context keys for `when` clauses, set with `setContext`. */
export const contextKeys = withPrefix({
  /** At least one connection exists. */
  hasConnections: "hasConnections",
  /** No connection exists. Unlike `!hasConnections`, false before the extension has started. */
  noConnections: "noConnections",
  /** It is known that nobody is signed in to any connection: false before the tree was shown. */
  signedOut: "signedOut",
  /** "26.1" once a MindsDB server has answered at 127.0.0.1:47334, else undefined. */
  localServer: "localServer",
  sampleServerRunning: "sampleServerRunning",
  chatActive: "chatActive",
  chatRunning: "chatRunning",
  /** The active chat has an answer whose raw events are stored. */
  chatHasEvents: "chatHasEvents",
  /** An agent has answered in this window. */
  answered: "answered",
  /** An agent was created in this window. */
  agentMade: "agentMade",
  /** A prediction has succeeded in this window. */
  predicted: "predicted",
  /** A SQL file for MindsDB was opened in this window. */
  sqlOpened: "sqlOpened",
  /** A welcome page or walkthrough was shown in this window. */
  firstStepsShown: "firstStepsShown",
} as const);

export const settings = {
  section: "mindsdbWorkbench",
  connections: "connections",
  caFile: "caFile",
  agentTimeLimit: "agent.timeLimit",
  traceCollector: "trace.collector",
  predictBatchRows: "predict.batchRows",
  predictConcurrency: "predict.concurrency",
  sqlTimeLimit: "sql.timeLimit",
  predictTimeLimit: "predict.timeLimit",
  csvForExcel: "export.csvForExcel",
} as const;
