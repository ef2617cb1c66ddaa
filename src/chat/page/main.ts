import { handleLinks } from "../../shared/page/markdownElement.ts";
import { startPage } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";
import "./chat.css";
import { ChatView } from "./chatView.ts";

const host = startPage<ToHost, ToPage, PageState, ChatView>(
  (begin, pageHost) => new ChatView(begin, pageHost),
);
handleLinks((href) => host.post({ type: "openLink", href }));
