import { startPage } from "../../../shared/page/vscodeApi.ts";
import type { ToHost, ToPage, TrainState } from "../../trainMessages.ts";
import "./train.css";
import { TrainView } from "./trainView.ts";

startPage<ToHost, ToPage, TrainState, TrainView>((begin, host) => new TrainView(begin, host));
