import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { WordsContext } from "@/components/words/words-provider";
import type { GatewayFailure } from "@/lib/gateway/result";
import { planForm } from "@/lib/schema-form/plan-form";
import { compiledPart } from "@/messages/compile";
import { english } from "@/scripts/testing/english";
import { useProblems } from "./use-problems.tsx";

const catalog = createCatalog();

/** The problem that the form shows for a refusal of the gateway. */
function shownFor(model: string, apiType: string, refusal: Partial<GatewayFailure>, isChinese = false) {
  const found = catalog.operation(model, apiType);
  if (!found) throw new Error(`no ${model}`);
  const { operation } = found;
  const plan = planForm(found.model, operation, english("inputForm"));
  const body = { ...operation.example };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <WordsContext value={{ language: "zh-CN", messages: { inputForm: compiledPart("zh-CN", "inputForm") } }}>
      {children}
    </WordsContext>
  );
  const { result } = renderHook(
    () => useProblems(body, operation, plan),
    isChinese ? { wrapper } : undefined,
  );
  act(() => void result.current.refuse({ status: 400, details: [], ...refusal } as GatewayFailure, body));
  return result.current.problems.map(({ field, message, said }) =>
    [field, message, said].filter(Boolean).join(" | "),
  );
}

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

it("in another language, says that the gateway does not accept the value, with its own words beneath", () => {
  const refusal = { param: "image[0]", message: "image[0]: the upload upl_1 does not exist." };
  expect(shownFor("svc/img-gen-a-1", "image-editing", refusal, true)).toEqual([
    "Image 1 | 此操作不接受这个值。请修改。 | The upload upl_1 does not exist.",
  ]);
});
