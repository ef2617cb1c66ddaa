import { startPage } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";
import "./knowledgeBase.css";
import { KnowledgeBaseView } from "./knowledgeBaseView.ts";

startPage<ToHost, ToPage, PageState, KnowledgeBaseView>(
  (begin, host) => new KnowledgeBaseView(begin, host),
);
