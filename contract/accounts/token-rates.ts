import { type Static, Type } from "typebox";
import { Nullable } from "../list.ts";
import { keyRates, tokenRateModels } from "./constants.ts";

const limits = keyRates.tokens_per_minute;

const ModelTokens = Type.Record(
  Type.String({ minLength: 1, maxLength: tokenRateModels.idLength }),
  Type.Integer(limits),
  {
    minProperties: 1,
    maxProperties: tokenRateModels.most,
    description: "the same for single models, by their ids",
  },
);

/** The tokens per minute of a key, a member or an account; null: no limit. */
export const TokenRates = {
  tokens_per_minute: Nullable(
    Type.Integer({ ...limits, description: "tokens of text per minute, with all models together" }),
  ),
  model_tokens_per_minute: Nullable(ModelTokens),
};
const answered = Type.Object(TokenRates);
export type TokenRates = Static<typeof answered>;

/** A limit that is missing stays; null removes it. */
export const TokenRateInputs = {
  tokens_per_minute: Type.Optional(TokenRates.tokens_per_minute),
  model_tokens_per_minute: Type.Optional(TokenRates.model_tokens_per_minute),
};
const asked = Type.Object(TokenRateInputs);
export type TokenRateInputs = Static<typeof asked>;
