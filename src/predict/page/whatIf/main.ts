import { startPage } from "../../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../../whatIf/messages.ts";
import "./whatIf.css";
import { WhatIfView } from "./whatIfView.ts";

startPage<ToHost, ToPage, PageState, WhatIfView>((begin, host) => new WhatIfView(begin, host));
