// Results of a search: chunks by relevance, with the question's words highlighted, or two results side by side.
import * as l10n from "@vscode/l10n";
import { oneLine } from "../../shared/oneLine.ts";
import { formatNumber } from "../../shared/page/l10n.ts";
import { Button, Collapsible, Facts, IconButton, NoticeBox } from "../../shared/page/parts.tsx";
import type { Host } from "../../shared/pageProtocol.ts";
import { compareResults } from "../compareResults.ts";
import { highlightWords } from "../highlight.ts";
import type {
  FoundChunk,
  KnowledgeBaseContent,
  knowledgeBaseCalls,
  SearchResult,
} from "../knowledgeBasePage.ts";

/** For a question in the heading of its results, in characters. */
const maxQuestionLength = 80;

/** A chunk with more characters or lines is folded. */
const maxOpenLength = 1_000;
const maxOpenLines = 12;

/** The parts of the page that are open, by their names: metadata of chunks, long chunks, the table of fields. */
export type OpenedParts = Record<string, boolean>;

interface OpenedProps {
  opened: OpenedParts;
  setOpen: (part: string, isOpen: boolean) => void;
}

interface SearchResultsProps extends OpenedProps {
  state: KnowledgeBaseContent;
  host: Host<typeof knowledgeBaseCalls>;
}

export function SearchResults({ state, host, ...open }: SearchResultsProps) {
  const { result, kept, searchFailure } = state;
  const keep = async (isKept: boolean): Promise<void> => {
    await host.keepResult(isKept);
    document.querySelector<HTMLElement>(".search textarea")?.focus();
  };
  const common = { isComparing: kept !== undefined, ...open };
  return (
    <div>
      {searchFailure !== undefined && (
        <NoticeBox notice={{ text: searchFailure }} press={host.runNoticeAction} />
      )}
      <div class={result && kept && "comparison"}>
        {kept && (
          <Result
            key="kept"
            part="kept-"
            result={kept}
            other={result}
            copy={(index) => host.copyChunk(index, true)}
            {...common}
          />
        )}
        {result && (
          <Result
            key="result"
            part=""
            result={result}
            other={kept}
            copy={(index) => host.copyChunk(index, false)}
            {...common}
          />
        )}
      </div>
      {kept && !result && (
        <p class="hint">
          {l10n.t(
            "Change the question, limit, minimum relevance, or filters and search again. Both results are shown side by side.",
          )}
        </p>
      )}
      {kept ? (
        <Button label={l10n.t("End Comparison")} press={() => keep(false)} />
      ) : (
        result &&
        result.chunks.length > 0 && (
          <Button label={l10n.t("Compare with Another Search")} press={() => keep(true)} />
        )
      )}
    </div>
  );
}

/** Names the question, because the form may already contain the next one. */
export function formatHeading(
  { chunks, question, conditions }: SearchResult,
  isComparing: boolean,
): string {
  const count = chunks.length === 0 ? l10n.t("Nothing found") : formatChunkCount(chunks.length);
  const asked = oneLine(question, maxQuestionLength);
  const heading = asked === "" ? count : l10n.t("{0} for “{1}”", count, asked);
  const limits = oneLine(conditions, maxQuestionLength);
  return isComparing && limits !== "" ? l10n.t("{0}, {1}", heading, limits) : heading;
}

export function formatChunkCount(count: number): string {
  return count === 1 ? l10n.t("1 chunk") : l10n.t("{0} chunks", formatNumber(count));
}

interface ResultProps extends OpenedProps {
  /** Begins the names of its chunks. */
  part: string;
  result: SearchResult;
  /** Each chunk says where it is in this result. */
  other: SearchResult | undefined;
  isComparing: boolean;
  copy: (index: number) => unknown;
}

function Result({ part, result, other, isComparing, copy, ...open }: ResultProps) {
  const { chunks, conditions, question, isFilteredHere } = result;
  const differences = other && compareResults(chunks, other.chunks);
  const mark = (index: number): string => {
    const difference = differences?.[index];
    if (difference?.kind === "onlyHere") return l10n.t("Only here");
    return difference?.kind === "moved" ? l10n.t("#{0} in the other search", difference.rank) : "";
  };
  return (
    <div class="result">
      <h3 class={chunks.length === 0 ? "hint" : ""}>{formatHeading(result, isComparing)}</h3>
      {chunks.length === 0 && (
        <p class="hint">
          {conditions === ""
            ? l10n.t("Try other words, or add content to the knowledge base.")
            : l10n.t("Try a lower minimum relevance or fewer filters.")}
        </p>
      )}
      {isFilteredHere && (
        <p class="hint">
          {l10n.t(
            "This server can't apply all of the filters. They were applied to the first 100 chunks it found.",
          )}
        </p>
      )}
      {chunks.length > 0 && (
        <ol class="chunks">
          {chunks.map((chunk, index) => (
            <ChunkView
              key={index}
              part={part + String(index)}
              mark={mark(index)}
              copy={() => copy(index)}
              {...{ chunk, question, ...open }}
            />
          ))}
        </ol>
      )}
    </div>
  );
}

interface ChunkProps extends OpenedProps {
  part: string;
  chunk: FoundChunk;
  question: string;
  /** Its place in another result; "" for nothing. */
  mark: string;
  copy: () => unknown;
}

function ChunkView({ part, chunk, question, mark, copy, opened, setOpen }: ChunkProps) {
  const { id, chunkId, content, length, relevance, distance, metadata, internal } = chunk;
  const isLong = content.length > maxOpenLength || content.split("\n").length > maxOpenLines;
  const whole = `${part}-whole`;
  const isWhole = opened[whole] ?? false;
  return (
    <li class="chunk">
      <div class="chunk-head">
        {mark !== "" && <span class="mark">{mark}</span>}
        {relevance !== undefined && (
          <span class="relevance" title={String(relevance)}>
            {l10n.t("relevance {0}", formatScore(relevance))}
          </span>
        )}
        {distance !== undefined && (
          <span class="quiet" title={String(distance)}>
            {l10n.t("distance {0}", formatScore(distance))}
          </span>
        )}
        <span class="quiet">{l10n.t("ID {0}", id)}</span>
        <IconButton icon="copy" label={l10n.t("Copy Chunk")} press={copy} />
      </div>
      <div class={isLong && !isWhole ? "content prose long" : "content prose"}>
        {highlightWords(content, question).map(({ text, isMatch }) =>
          isMatch ? <mark>{text}</mark> : text,
        )}
        {content === "" && <em>{l10n.t("The chunk is empty.")}</em>}
      </div>
      {isLong && (
        <button
          type="button"
          class="link-button"
          aria-expanded={isWhole}
          onClick={() => setOpen(whole, !isWhole)}
        >
          {isWhole ? l10n.t("Show Less") : l10n.t("Show Whole Chunk")}
        </button>
      )}
      {length !== undefined && (
        <p class="hint">{l10n.t("Truncated ({0} characters in total).", formatNumber(length))}</p>
      )}
      {metadata.length > 0 && (
        <dl class="labels">
          {metadata.map(([name, value]) => (
            <div key={name} class="label">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Collapsible
        kind="notes"
        part={part}
        summary={l10n.t("Server metadata")}
        isOpen={opened[part] ?? false}
        setOpen={(isOpen) => setOpen(part, isOpen)}
      >
        <Facts kind="facts" facts={[["chunk_id", chunkId], ...internal]} />
      </Collapsible>
    </li>
  );
}

function formatScore(score: number): string {
  return formatNumber(score, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
}
