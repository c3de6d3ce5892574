import type { AnswerFacts } from "#contract/conversations.ts";
import type { JsonObject } from "@/lib/schema-form/json";

/** What can be done with a message. */
export interface TurnActions {
  edit: (at: number, message: JsonObject) => void;
  /** Another answer in its place. */
  again: (at: number) => void;
  show: (place: number) => void;
  answerCall: (at: number, id: string, text: string) => void;
  sendResults: () => void;
}

/** A message as it is shown. */
export interface TurnProps {
  at: number;
  message: JsonObject;
  /** Of its calls. */
  results: readonly JsonObject[];
  facts: AnswerFacts | null;
  /** The places of the branches here, and which of them this is. */
  forks: readonly number[];
  chosen: number;
  isLast: boolean;
  isAlone: boolean;
  busy: boolean;
  actions: TurnActions;
}
