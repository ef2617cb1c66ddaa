// Ids shared by package.json and the code. A test compares both.

export const commands = {
  connectionAdd: "mindsdbWorkbench.connection.add",
  connectionConnectLocal: "mindsdbWorkbench.connection.connectLocal",
  connectionSignIn: "mindsdbWorkbench.connection.signIn",
  connectionSignOut: "mindsdbWorkbench.connection.signOut",
  connectionRename: "mindsdbWorkbench.connection.rename",
  connectionCopyAddress: "mindsdbWorkbench.connection.copyAddress",
  connectionSetProtection: "mindsdbWorkbench.connection.setProtection",
  connectionShowMenu: "mindsdbWorkbench.connection.showMenu",
  connectionDiagnose: "mindsdbWorkbench.connection.diagnose",
  connectionRemove: "mindsdbWorkbench.connection.remove",
  sampleServerStart: "mindsdbWorkbench.sampleServer.start",
  sampleServerTry: "mindsdbWorkbench.sampleServer.try",
  sampleServerStop: "mindsdbWorkbench.sampleServer.stop",
  sampleServerReset: "mindsdbWorkbench.sampleServer.reset",
  explorerRefresh: "mindsdbWorkbench.explorer.refresh",
  explorerCopyName: "mindsdbWorkbench.explorer.copyName",
  explorerFind: "mindsdbWorkbench.explorer.find",
  explorerOpenByName: "mindsdbWorkbench.explorer.openByName",
  explorerForgetName: "mindsdbWorkbench.explorer.forgetName",
  explorerShowStatement: "mindsdbWorkbench.explorer.showStatement",
  agentAsk: "mindsdbWorkbench.agent.ask",
  agentShow: "mindsdbWorkbench.agent.show",
  agentCreate: "mindsdbWorkbench.agent.create",
  agentQuickCreate: "mindsdbWorkbench.agent.quickCreate",
  agentEdit: "mindsdbWorkbench.agent.edit",
  agentDuplicate: "mindsdbWorkbench.agent.duplicate",
  agentDelete: "mindsdbWorkbench.agent.delete",
  knowledgeBaseShow: "mindsdbWorkbench.knowledgeBase.show",
  knowledgeBaseCreate: "mindsdbWorkbench.knowledgeBase.create",
  knowledgeBaseEdit: "mindsdbWorkbench.knowledgeBase.edit",
  knowledgeBaseDelete: "mindsdbWorkbench.knowledgeBase.delete",
  knowledgeBaseCopyStatement: "mindsdbWorkbench.knowledgeBase.copyStatement",
  tablePreview: "mindsdbWorkbench.table.preview",
  tableCopySelect: "mindsdbWorkbench.table.copySelect",
  tableUseInAgent: "mindsdbWorkbench.table.useInAgent",
  tableAddToKnowledgeBase: "mindsdbWorkbench.table.addToKnowledgeBase",
  tableUpload: "mindsdbWorkbench.table.upload",
  tableDrop: "mindsdbWorkbench.table.drop",
  knowledgeBaseBrowse: "mindsdbWorkbench.knowledgeBase.browseDocuments",
  knowledgeBaseAddContent: "mindsdbWorkbench.knowledgeBase.addContent",
  modelShow: "mindsdbWorkbench.model.show",
  modelPredict: "mindsdbWorkbench.model.predict",
  modelTrain: "mindsdbWorkbench.model.train",
  modelRetrain: "mindsdbWorkbench.model.retrain",
  modelFinetune: "mindsdbWorkbench.model.finetune",
  modelUseVersion: "mindsdbWorkbench.model.useVersion",
  modelCompareVersions: "mindsdbWorkbench.model.compareVersions",
  modelDeleteVersion: "mindsdbWorkbench.model.deleteVersion",
  modelDelete: "mindsdbWorkbench.model.delete",
  tableTrainModel: "mindsdbWorkbench.table.trainModel",
  projectCreate: "mindsdbWorkbench.project.create",
  projectDelete: "mindsdbWorkbench.project.delete",
  jobDelete: "mindsdbWorkbench.job.delete",
  queryCancel: "mindsdbWorkbench.query.cancel",
  predictNew: "mindsdbWorkbench.predict.new",
  predictFromFile: "mindsdbWorkbench.predict.fromFile",
  predictChangeModel: "mindsdbWorkbench.predict.changeModel",
  predictChooseRows: "mindsdbWorkbench.predict.chooseRows",
  predictOpenRows: "mindsdbWorkbench.predict.openRows",
  chatOpen: "mindsdbWorkbench.chat.open",
  chatStop: "mindsdbWorkbench.chat.stop",
  chatRetry: "mindsdbWorkbench.chat.retry",
  chatShowRawEvents: "mindsdbWorkbench.chat.showRawEvents",
  chatExport: "mindsdbWorkbench.chat.export",
  chatCompare: "mindsdbWorkbench.chat.compare",
  chatAskAboutSelection: "mindsdbWorkbench.chat.askAboutSelection",
  chatFocusLastAnswer: "mindsdbWorkbench.chat.focusLastAnswer",
  agentTestSave: "mindsdbWorkbench.agentTest.save",
  agentTestOpenRun: "mindsdbWorkbench.agentTest.openRun",
  agentTestExport: "mindsdbWorkbench.agentTest.exportResults",
  logShow: "mindsdbWorkbench.log.show",
  walkthroughOpen: "mindsdbWorkbench.walkthrough.open",
} as const;

export const views = {
  container: "mindsdbWorkbench",
  explorer: "mindsdbWorkbench.explorer",
} as const;

export const panels = {
  chat: "mindsdbWorkbench.chat",
  model: "mindsdbWorkbench.model",
  modelTrain: "mindsdbWorkbench.modelTrain",
  knowledgeBase: "mindsdbWorkbench.knowledgeBase",
  knowledgeBaseDocuments: "mindsdbWorkbench.knowledgeBaseDocuments",
  knowledgeBaseFill: "mindsdbWorkbench.knowledgeBaseFill",
  knowledgeBaseForm: "mindsdbWorkbench.knowledgeBaseForm",
  agent: "mindsdbWorkbench.agent",
  table: "mindsdbWorkbench.table",
  agentForm: "mindsdbWorkbench.agentForm",
} as const;

export const walkthrough = "firstSteps";

/** Ids of the predict notebook and its renderer, and its file extension. */
export const notebooks = {
  type: "mindsdbWorkbench.predict",
  renderer: "mindsdbWorkbench.result",
  mime: "application/vnd.mindsdb-workbench.result+json",
  ending: ".predict.md",
} as const;

/** Context keys for `when` clauses, set with `setContext`. */
export const contextKeys = {
  /** At least one connection exists. */
  hasConnections: "mindsdbWorkbench.hasConnections",
  /** No connection exists. Unlike `!hasConnections`, false before the extension has started. */
  noConnections: "mindsdbWorkbench.noConnections",
  /** "26.1" once a MindsDB server has answered at 127.0.0.1:47334, else undefined. */
  localServer: "mindsdbWorkbench.localServer",
  sampleServerRunning: "mindsdbWorkbench.sampleServerRunning",
  chatActive: "mindsdbWorkbench.chatActive",
  chatRunning: "mindsdbWorkbench.chatRunning",
  /** An agent has answered in this window. */
  answered: "mindsdbWorkbench.answered",
  /** An agent was created in this window. */
  agentMade: "mindsdbWorkbench.agentMade",
  /** A prediction has succeeded in this window. */
  predicted: "mindsdbWorkbench.predicted",
  /** A welcome page or walkthrough was shown in this window. */
  firstStepsShown: "mindsdbWorkbench.firstStepsShown",
} as const;

export const settings = {
  section: "mindsdbWorkbench",
  connections: "connections",
  caFile: "caFile",
  agentTimeLimit: "agent.timeLimit",
  predictBatchRows: "predict.batchRows",
  predictConcurrency: "predict.concurrency",
  sqlTimeLimit: "sql.timeLimit",
  predictTimeLimit: "predict.timeLimit",
} as const;
