import assert from "node:assert/strict";
import { ConversationSearch } from "../../../src/chat/conversationSearch.ts";
import { emptyTranscript, reduce, type Transcript } from "../../../src/chat/transcript.ts";

const agent = { connectionId: "local", connection: "Local", project: "mindsdb", name: "sales" };

function conversation(chatId: string, question: string, text: string): Transcript {
  const transcript = emptyTranscript({ chatId, agent });
  reduce(transcript, { type: "asked", run: 1, question, startedAt: 0 });
  const event = { type: "answer", format: "markdown", text } as const;
  reduce(transcript, { type: "stepped", run: 1, at: 1, event });
  reduce(transcript, { type: "ended", run: 1, at: 1, state: "answered" });
  return transcript;
}

describe("The search in conversations", () => {
  let reads = 0;
  const search = (...transcripts: Transcript[]) =>
    new ConversationSearch(async function* () {
      reads++;
      yield* await Promise.resolve(transcripts);
    });

  beforeEach(() => {
    reads = 0;
  });

  it("finds questions and answers, whatever their case, with what stands around", async () => {
    const long = `${"before ".repeat(20)}the Harbor\nat night${" after".repeat(20)}`;
    const found = search(
      conversation("asked", "Where is the HARBOR?", "There."),
      conversation("answered", "Where?", long),
      conversation("other", "What?", "A home."),
    );
    assert.deepEqual(
      [...(await found.find(" harbor "))],
      [
        ["asked", "Where is the HARBOR? There."],
        [
          "answered",
          "…before before before before before the Harbor at night after after after after after…",
        ],
      ],
    );
    assert.equal((await found.find("home")).size, 1);
    assert.equal(reads, 1);
  });

  it("finds answers that were replaced, and branches that are not shown", async () => {
    const transcript = conversation("a", "Where?", "At the harbor.");
    reduce(transcript, { type: "asked", run: 2, question: "Where?", startedAt: 0, replaces: 1 });
    reduce(transcript, { type: "asked", run: 3, question: "Who?", startedAt: 0, edits: 2 });
    assert.equal((await search(transcript).find("harbor")).size, 1);
  });

  it("shows no half of a character", async () => {
    const [found] = (
      await search(conversation("a", `${"🏠".repeat(30)}x harbor ${"🏠".repeat(30)}`, "")).find(
        "harbor",
      )
    ).values();
    assert.doesNotMatch(found ?? "", /\p{Surrogate}/u);
  });

  it("reads nothing for one or two letters", async () => {
    assert.equal((await search(conversation("a", "Where is it?", "")).find("it")).size, 0);
    assert.equal(reads, 0);
  });
});
