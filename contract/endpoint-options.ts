import { Type } from "typebox";
import { closed } from "./list.ts";
import { Nullable } from "./nullable.ts";
import { maxFilterNames, maxRatePerSecond, ownHeaderLimits } from "./webhook-constants.ts";

function filterOf(description: string) {
  const names = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: maxFilterNames,
    uniqueItems: true,
    description,
  });
  return Type.Optional(Nullable(names));
}

export const endpointFilters = {
  models: filterOf("ids of models: events of other models are not sent; null: of all"),
  keys: filterOf("ids of keys: events of what other keys ran are not sent; null: of all"),
};

export const rateOfEndpoint = Type.Optional(
  Nullable(
    Type.Integer({
      minimum: 1,
      maximum: maxRatePerSecond,
      description: "requests a second at most, retries included; more wait in the queue",
    }),
  ),
);

export const OwnHeaders = Type.Array(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: ownHeaderLimits.nameLength }),
      value: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: ownHeaderLimits.valueLength,
          description: "never shown again; left out in a change: the value that it has stays",
        }),
      ),
    },
    closed,
  ),
  { maxItems: ownHeaderLimits.count, description: "sent with every delivery, besides the gateway's own" },
);
