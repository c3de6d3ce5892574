import { expect, it } from "vitest";
import { operationPaths } from "#contract/catalog-constants.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const operations = createCatalog()
  .list()
  .data.flatMap((model) => model.operations.map((operation) => ({ id: operation.id, model, operation })));
/** The schemas of ten operations do not list the region. */
const wrongRegions: unknown[] = [["sg-singapore"], 5, true, { name: "sg-singapore" }, "", "mars"];

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount("adult", "portrait_rights"));

it.concurrent.each(operations)(
  "$id refuses a region that is not a string or that it does not have, on its own route and on the generic one",
  async ({ operation, model }) => {
    const generic = `/models/${model.id}/predictions?api_type=${operation.api_type}`;
    for (const region of wrongRegions) {
      const body = { ...(operation.example as object), region };
      const { model: _, ...input } = body as Record<string, unknown>;
      const answers = [
        await call(gateway, account.key, "POST", operationPaths[operation.api_type], body),
        await call(gateway, account.key, "POST", generic, { input }),
      ];
      for (const { status, body: answer } of answers)
        expect([region, status, (answer.error as { param?: string } | undefined)?.param]).toEqual([
          region,
          400,
          "region",
        ]);
    }
  },
);
