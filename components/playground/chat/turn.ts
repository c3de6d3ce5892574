import type { AnswerFacts } from "#contract/conversations.ts";
import type { JsonObject } from "@/lib/schema-form/json";

/** Actions for a message. */
export interface TurnActions {
  edit: (at: number, message: JsonObject) => void;
  /** Requests another answer at this position. */
  again: (at: number) => void;
  show: (place: number) => void;
  answerCall: (at: number, id: string, text: string) => void;
  sendResults: () => void;
}

/** A message to render. */
export interface TurnProps {
  at: number;
  message: JsonObject;
  /** Results of the message's calls. */
  results: readonly JsonObject[];
  facts: AnswerFacts | null;
  /** Indexes of the branches at this position, and which of them this message is. */
  forks: readonly number[];
  chosen: number;
  isLast: boolean;
  isAlone: boolean;
  busy: boolean;
  actions: TurnActions;
}
