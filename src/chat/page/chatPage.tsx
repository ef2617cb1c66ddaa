// The page of one conversation, or of a saved run: its runs, and what is around them.
import * as l10n from "@vscode/l10n";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useFocus } from "../../shared/page/itemFrame.tsx";
import { handleLinks } from "../../shared/page/markdownElement.ts";
import { Icon } from "../../shared/page/parts.tsx";
import { startPage, type ChannelPageProps } from "../../shared/page/startPage.tsx";
import { save } from "../../shared/page/webview.ts";
import type { ChatCalls, ChatItem, ChatState, SavedRunCalls } from "../chatPage.ts";
import { ChatTextFormatter } from "../chatTextFormatter.ts";
import "./chat.css";
import { ChatHead } from "./chatHead.tsx";
import { Composer } from "./composer.tsx";
import { ProgressLine } from "./progressLine.tsx";
import { initiallyAround, RunLog } from "./runLog.ts";
import { WaitingQuestions } from "./waitingQuestions.tsx";

type ChatPageProps = ChannelPageProps<ChatState, ChatCalls & SavedRunCalls, ChatItem>;

const formatter = new ChatTextFormatter(document.documentElement.lang);

function ChatPage({ state, host, receiveItems }: ChatPageProps) {
  const [around, setAround] = useState(initiallyAround);
  const main = useRef<HTMLElement>(null);
  const log = useRef<HTMLDivElement>(null);
  const composer = useRef<Composer>(null);
  const runs = useRef<RunLog>(undefined);
  useFocus(main);
  useLayoutEffect(() => {
    save({ chatId: state.chatId });
    handleLinks((href) => void host.openLink(href));
    runs.current = new RunLog({
      head: state,
      host,
      formatter,
      log: log.current!,
      composer: composer.current!,
      showAround: (change) => setAround((before) => ({ ...before, ...change })),
    });
    receiveItems((post) => runs.current!.showPost(post));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.isComposing) composer.current?.stop();
    });
  }, []);
  useLayoutEffect(() => runs.current?.showOffers(state.offers), [state.offers]);
  useLayoutEffect(() => {
    if (!state.draft) return;
    composer.current?.propose(state.draft.text);
    void host.noteDraftTaken(state.draft.id);
  }, [state.draft]);

  const { running, lastEventAt, waiting, hasBegun, isAtEnd, announcement } = around;
  const { name } = state.agent;
  const isRunning = running !== undefined;
  const marks = [state.saved && "saved", hasBegun && "begun", isRunning && "running"];
  if (state.canCreateViews) marks.push("creates-views");
  const toEnd = l10n.t("Scroll to Bottom");
  // For buttons that are removed with their question.
  const focusComposer = (): void => composer.current?.focus();
  return (
    <main class={["chat", ...marks].filter(Boolean).join(" ")} ref={main}>
      <div class="bar" hidden={!isRunning} />
      <div class="view">
        {/* The role is a live region, but the announcements say what matters. */}
        <div
          class="log"
          role="log"
          aria-label={l10n.t("Conversation with {0}", name)}
          aria-live="off"
          ref={log}
        >
          <ChatHead
            state={state}
            host={host}
            isRunning={isRunning}
            ask={(question) => {
              void host.ask(question);
              focusComposer();
            }}
          />
        </div>
        <button
          type="button"
          class="to-end"
          title={toEnd}
          aria-label={toEnd}
          hidden={isAtEnd}
          onClick={() => runs.current?.scrollToEnd()}
        >
          <Icon name="arrow-down" />
        </button>
      </div>
      <ProgressLine
        run={running}
        lastEventAt={lastEventAt}
        agent={name}
        formatter={formatter}
        now={() => runs.current!.now}
      />
      <WaitingQuestions
        questions={waiting}
        isRunning={isRunning}
        send={host.sendWaiting}
        remove={(question) => {
          void host.removeWaiting(question);
          focusComposer();
        }}
      />
      <Composer
        handle={composer}
        agent={name}
        host={host}
        isRunning={isRunning}
        getTranscript={() => runs.current!.transcript}
      />
      <div class="visually-hidden" role="status">
        {announcement}
      </div>
    </main>
  );
}

startPage(ChatPage);
