import { expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { listedSections, type OpenApiDocument, readOperation } from "./document.ts";
import { saidByCurl, sentBy } from "./testing/run-examples.ts";

const gateway = shared(startTestGateway);

it.each(["bash", "python"])(
  "sends the same request from %s as the curl command says, for every route",
  async (language) => {
    const document = (await call(gateway, null, "GET", "/openapi.json")).body as unknown as OpenApiDocument;
    const examples = listedSections(document).flatMap(({ routes }) =>
      routes.flatMap(({ id }) => readOperation(document, id)?.example.requests ?? []),
    );
    const codes = (wanted: string) =>
      examples.filter((example) => example.language === wanted).map(({ code }) => code);
    const sent = await sentBy(language, codes(language), document.servers?.[0]?.url ?? "");
    expect(sent).toEqual(codes("bash").map(saidByCurl));
  },
  300_000,
);
