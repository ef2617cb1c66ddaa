// The page of one agent: each `begin` starts a new view of it.
import { connectPage, type Page } from "../../../shared/page/vscodeApi.ts";
import type { AgentPageState, FromAgentPage, ToAgentPage } from "../../agentPageMessages.ts";
import "./agentPage.css";
import { AgentView } from "./agentView.ts";

connectPage<FromAgentPage, ToAgentPage, AgentPageState>((host): Page<ToAgentPage> => {
  let view: AgentView | undefined;
  return {
    show(message) {
      if (message.type === "begin") {
        view?.dispose();
        view = new AgentView(message, host);
        document.body.replaceChildren(view.element);
        view.start();
      } else {
        view?.show(message);
      }
      // One agent is small: nothing here needs to pause.
      return [];
    },
    shown: () => view?.shown(),
  };
});
