import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it, onTestFinished } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { WordsContext } from "@/components/words/words-provider";
import type { GatewayFailure } from "@/lib/gateway/result";
import { planForm } from "@/lib/schema-form/plan-form";
import { compiledPart } from "@/messages/compile";
import type { Language } from "@/messages/languages";
import { english } from "@/scripts/testing/english";
import { useProblems } from "./use-problems.tsx";

const catalog = createCatalog();

/** The form after a refusal of the gateway. */
function refused(
  model: string,
  apiType: string,
  refusal: Partial<GatewayFailure>,
  language: Language = "en",
) {
  const found = catalog.operation(model, apiType);
  if (!found) throw new Error(`no ${model}`);
  const { operation } = found;
  const plan = planForm(found.model, operation, english("inputForm"));
  const body = { ...operation.example };
  const messages = { inputForm: compiledPart(language, "inputForm") };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <WordsContext value={{ language, messages }}>{children}</WordsContext>
  );
  const { result } = renderHook(() => useProblems(body, operation, plan), { wrapper });
  act(() => void result.current.refuse({ status: 400, details: [], ...refusal } as GatewayFailure, body));
  return { lines: () => result.current.problems.map(({ field, message }) => `${field} | ${message}`) };
}

/** The problem that the form shows for a refusal of the gateway. */
const shownFor = (...asked: Parameters<typeof refused>) => refused(...asked).lines();

it("says a gateway's refusal with the field's label, not with its name in the API", () => {
  const edit = ["svc/img-gen-a-1", "image-editing"] as const;
  expect(
    shownFor(...edit, { param: "image[0]", message: "image[0]: the upload upl_1 does not exist." }),
  ).toEqual(["Image 1 | The upload upl_1 does not exist."]);
  expect(
    shownFor(...edit, { param: "image[0]", message: "image[0] must be upload://…, or an https URL." }),
  ).toEqual(["Image 1 | This must be upload://…, or an https URL."]);
  expect(
    shownFor("svc/voice-2", "voice-management", {
      param: "url",
      message: "url is required to create a voice.",
    }),
  ).toEqual(["Recording | This is required to create a voice."]);
  expect(
    shownFor("svc/img-gen-b", "image-generation", {
      details: [{ path: "/output_format", keyword: "required", message: "is required" }],
    }),
  ).toEqual(["Format | This is required."]);
});

it("says it in the page's language, with the gateway's own words where there is none for it", async () => {
  document.documentElement.lang = "zh-CN";
  onTestFinished(() => {
    document.documentElement.lang = "en";
  });
  const refusal = { code: "invalid_parameter", param: "image[0]", message: "image[0]: no upload upl_1." };
  const { lines } = refused("svc/img-gen-a-1", "image-editing", refusal, "zh-CN");
  await waitFor(() => expect(lines()).toEqual(["Image 1 | 网关不接受这个值（No upload upl_1.）"]));
});
