import { startPage } from "../../../shared/page/vscodeApi.ts";
import type { AgentPageState, FromAgentPage, ToAgentPage } from "../../agentPageMessages.ts";
import "./agentPage.css";
import { AgentView } from "./agentView.ts";

startPage<FromAgentPage, ToAgentPage, AgentPageState, AgentView>(
  (begin, host) => new AgentView(begin, host),
);
