import { heldCharacters } from "#contract/guard-constants.ts";
import type { GuardQuestion } from "#contract/guards.ts";
import type { AskedGuard } from "#contract/usage.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { ChatChoice, ChatChunk, SyncResult } from "#gateway/models/providers/provider.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { sentence } from "#gateway/platform/core/sentences.ts";
import type { StoredOutput } from "#gateway/platform/database/tables/predictions.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { OutputCheck } from "#gateway/runs/operations/output-check.ts";
import { mediaLinks } from "#gateway/runs/operations/sync-request.ts";
import { failedGuard, type NotPassed, type OpenGuard } from "./ask.ts";
import { type AskedRun, isAskedAbout, maySee, nothingShown, putQuestion } from "./put-question.ts";

/** How long an address of a stored output works for a guard. */
const addressMs = 60_000;
/** Chunks without text, of which at most this many are held back. */
const maxHeldChunks = 2_000;
/** A piece is at least this part of the text before it, so that a long answer is not asked about thousands of times. */
const pieceOfText = 1 / 20;

type Output = NonNullable<GuardQuestion["output"]>;
type Files = GuardQuestion["files"];

/** The check of a run's output; null if no guard is asked about it. */
export function outputCheck(
  context: RunsContext,
  guards: readonly OpenGuard[],
  run: AskedRun,
  note?: (asked: AskedGuard) => void,
): OutputCheck | null {
  const asked = guards.filter((guard) => isAskedAbout(guard, "output", run));
  return asked.length === 0 ? null : new Check(context, asked, run, note);
}

class Check implements OutputCheck {
  readonly take: OutputCheck["take"];
  refusal: unknown = null;
  readonly #context: RunsContext;
  readonly #guards: readonly OpenGuard[];
  readonly #run: AskedRun;
  readonly #note: ((asked: AskedGuard) => void) | undefined;
  /** The guards for which streams are held back, and the size of a piece. */
  readonly #holding: readonly OpenGuard[];
  readonly #pieceSize: number;
  #held: ChatChunk[] = [];
  /** The text of each answer so far, and how much of it was allowed, by the index of the answer. */
  readonly #answers = new Map<number, { text: string; allowed: number }>();

  constructor(
    context: RunsContext,
    guards: readonly OpenGuard[],
    run: AskedRun,
    note: ((asked: AskedGuard) => void) | undefined,
  ) {
    this.#context = context;
    this.#guards = guards;
    this.#run = run;
    this.#note = note;
    this.#holding = guards.filter(({ row }) => row.streams === "hold");
    const sizes = this.#holding.map(({ row }) => row.holdCharacters);
    this.#pieceSize = Math.max(heldCharacters.min, ...sizes);
    this.take = this.#holding.length > 0 ? (chunk) => this.#take(chunk) : null;
  }

  async result(result: SyncResult): Promise<SyncResult> {
    switch (result.kind) {
      case "chat": {
        const { completion } = result;
        const text = await this.#whole({ choices: completion.choices, text: textOf(completion.choices) });
        return text === null
          ? result
          : { ...result, completion: { ...completion, ...saying(completion, text) } };
      }
      case "transcription": {
        const text = await this.#whole({ choices: null, text: result.text });
        if (text === null) return result;
        // Segments and words would tell the text that the guard has replaced.
        const { segments: _, words: __, ...rest } = result;
        return { ...rest, text };
      }
      case "speech": {
        const { accountId, log } = this.#run;
        const links = mediaLinks(this.#context, accountId, log, "speech shown to a guard");
        const { audio, contentType = "audio/wav" } = result;
        try {
          const url = await links.bytesUrl(audio, contentType);
          const file = {
            url,
            kind: "audio",
            content_type: contentType,
            size_bytes: audio.length,
            sha256: null,
          };
          await this.#whole(null, [{ path: "/0", ...file }]);
        } finally {
          await links.withdraw();
        }
        return result;
      }
      // Vectors, rankings and voices have nothing to look at, and images are stored first.
      default:
        return result;
    }
  }

  async files(outputs: readonly StoredOutput[]): Promise<void> {
    const { model } = this.#run;
    const expiresAt = new Date(clock.now() + addressMs);
    await this.#whole(
      null,
      outputs.map((output, index) => ({
        path: `/${index}`,
        url: Clearance.full.addresses(this.#context, { ...output, model: model.id, expiresAt }).url ?? "",
        kind: output.contentType.split("/")[0] ?? "",
        content_type: output.contentType,
        size_bytes: output.sizeBytes,
        sha256: output.sha256 ?? null,
      })),
    );
  }

  async end(choices: ChatChoice[]): Promise<readonly ChatChunk[]> {
    // With one answer, its last piece is sent together with the whole; with several, each in its own question.
    if (this.#answers.size > 1) await this.#askPieces();
    const [last] = this.#answers.size === 1 ? this.#pieces() : [];
    const whole = { piece: null, choice: null, text: textOf(choices) };
    for (const guard of this.#guards) {
      const shown = this.#holding.includes(guard) && last ? last : whole;
      await this.#ask(guard, { ...shown, choices, is_complete: true }, [], false);
    }
    return this.#held.splice(0);
  }

  async #take(chunk: ChatChunk): Promise<readonly ChatChunk[]> {
    this.#held.push(chunk);
    for (const { index, delta } of chunk.choices) {
      const answer = this.#answers.get(index) ?? { text: "", allowed: 0 };
      answer.text += textIn(delta);
      this.#answers.set(index, answer);
    }
    const answers = [...this.#answers.values()];
    const allowed = answers.reduce((sum, answer) => sum + answer.allowed, 0);
    const waiting = answers.reduce((sum, { text }) => sum + text.length, -allowed);
    const size = Math.max(this.#pieceSize, allowed * pieceOfText);
    if (waiting < size && this.#held.length < maxHeldChunks) return [];
    await this.#askPieces();
    return this.#held.splice(0);
  }

  #pieces() {
    return [...this.#answers].map(([choice, { text, allowed }]) => ({
      choice,
      text,
      piece: text.slice(allowed),
    }));
  }

  /** Asks one question per answer, about its new piece, so that no guard sees two answers as one text. */
  async #askPieces(): Promise<void> {
    for (const piece of this.#pieces()) {
      if (piece.piece === "") continue;
      const shown = { ...piece, is_complete: false, choices: null };
      for (const guard of this.#holding) await this.#ask(guard, shown, [], false);
      this.#answers.set(piece.choice, { text: piece.text, allowed: piece.text.length });
    }
  }

  /** Asks all guards about a whole output; returns the text that replaces its own. */
  async #whole(
    shown: { choices: ChatChoice[] | null; text: string } | null,
    files: Files = [],
  ): Promise<string | null> {
    let { choices = null, text = null } = shown ?? {};
    let replacement: string | null = null;
    for (const guard of this.#guards) {
      const isText = text !== null && (choices === null || isPlain(choices));
      const output = { text, piece: null, choice: null, is_complete: true, choices };
      const by = await this.#ask(guard, output, files, isText);
      if (by === null) continue;
      replacement = by;
      text = by;
      if (choices) choices = saying({ choices }, by).choices;
    }
    return replacement;
  }

  /** Asks one guard. Returns the text by which it replaces the output; null if it allows it. */
  async #ask(
    guard: OpenGuard,
    output: Omit<Output, "choices"> & { choices: ChatChoice[] | null },
    files: Files,
    mayReplace: boolean,
  ): Promise<string | null> {
    const shown = (await maySee(this.#context, guard, this.#run))
      ? { ...nothingShown, output: output as Output, files }
      : nothingShown;
    try {
      const passed = await putQuestion(
        ...([this.#context, guard, "output", this.#run, shown] as const),
        async (outcome) => {
          if (outcome.result === "allowed") return { ...outcome, text: null };
          return replacedText(outcome.by, mayReplace && shown.output !== null);
        },
        this.#note,
      );
      return "text" in passed ? passed.text : null;
    } catch (error) {
      this.refusal = error;
      throw error;
    }
  }
}

function replacedText(
  { text, ...more }: Record<string, unknown>,
  mayReplace: boolean,
): { result: "replaced"; text: string } | NotPassed {
  if (!mayReplace) return failedGuard(sentence("guard_replaces_unreplaceable"));
  if (typeof text === "string" && Object.keys(more).length === 0) return { result: "replaced", text };
  return failedGuard(sentence("guard_output_no_text", { shape: "{ text }" }));
}

/** Whether a chat is one answer of text alone. */
function isPlain(choices: readonly ChatChoice[]): boolean {
  return choices.length === 1 && (choices[0]?.message.tool_calls ?? []).length === 0;
}

/** A chat with other text. All else of its message, such as the reasoning, would tell what was replaced. */
function saying({ choices }: { choices: ChatChoice[] }, text: string): { choices: ChatChoice[] } {
  return {
    choices: choices.map(({ index, finish_reason }) => ({
      ...{ index, finish_reason, logprobs: null },
      message: { role: "assistant", content: text, refusal: null },
    })),
  };
}

/** Fields of messages and tool calls that are no text of the model. */
const noText = new Set(["role", "type", "id", "index", "finish_reason", "logprobs"]);

/** The text of a chat's answers. */
function textOf(choices: readonly ChatChoice[]): string {
  return choices.map(textIn).join("\n\n");
}

/** All text in a message, or a part of one, whatever fields its upstream uses. */
function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  if (Array.isArray(value)) return value.map(textIn).join("");
  let text = "";
  for (const [name, part] of Object.entries(value)) if (!noText.has(name)) text += textIn(part);
  return text;
}
