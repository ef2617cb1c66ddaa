// Above the questions: whom one talks to, and what one may ask first.
import * as l10n from "@vscode/l10n";
import { Button } from "../../shared/page/parts.tsx";
import type { ChatHost, ChatState } from "../chatPage.ts";

interface ChatHeadProps {
  state: ChatState;
  host: ChatHost;
  isRunning: boolean;
  ask: (question: string) => void;
}

export function ChatHead({ state, host, isRunning, ask }: ChatHeadProps) {
  const { agent, suggestions, saved } = state;
  return (
    <header class="head">
      <div>
        <h1>{agent.name}</h1>
        <p class="place">
          {saved?.origin ?? l10n.t("{0} on {1}", agent.project, agent.connection)}
        </p>
        <p class="welcome">{l10n.t("Ask a question. You'll see each step as it happens.")}</p>
        <div
          class="suggestions"
          role="group"
          aria-label={l10n.t("Suggested Questions")}
          hidden={suggestions.length === 0}
        >
          {suggestions.map((question) => (
            <button key={question} type="button" class="suggestion" onClick={() => ask(question)}>
              {question}
            </button>
          ))}
        </div>
      </div>
      {saved && (
        <Button
          label={isRunning ? l10n.t("Stop Replay") : l10n.t("Replay")}
          press={isRunning ? host.stop : host.replay}
        />
      )}
    </header>
  );
}
