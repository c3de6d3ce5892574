import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { WordsContext } from "@/components/words/words-provider";
import { galleryList, predictionList } from "@/lib/prediction-lists";
import { queryKeys } from "@/lib/query-keys";
import { requestList } from "@/lib/request-list";
import { deliveryList } from "@/lib/webhooks/delivery-view";
import { compiledPart } from "@/messages/compile";
import { ViewsDialog } from "./views-dialog.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/predictions" }));

afterEach(cleanup);

function show(language: "en" | "zh-CN", filters: Record<string, string>) {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const view = { id: "view_1", name: "Mine", shared: false, filters };
  queries.setQueryData(queryKeys.views("predictions"), { data: [view] });
  render(
    <QueryClientProvider client={queries}>
      <WordsContext value={{ language, messages: { ui: compiledPart(language, "ui") } }}>
        <ToastProvider>
          <ViewsDialog list="predictions" search="" onClose={() => {}} />
        </ToastProvider>
      </WordsContext>
    </QueryClientProvider>,
  );
  return screen.getByText("Mine").nextSibling?.textContent;
}

it("says the filters of a view in the reader's language, also those that only a program knows", () => {
  const filters = { api_type: "text-to-image", since: "1h", made_up: "1" };
  expect(show("en", filters)).toBe("operation: text-to-image; made up: 1; Last hour");
  cleanup();
  expect(show("zh-CN", filters)).toBe("操作：text-to-image；made up：1；最近 1 小时");
  cleanup();
  expect(show("zh-CN", { created_after: "2026-11-24T00:00:00Z" })).toBe("自 11 月 24 日起");
});

it("every filter of a list that has views has a word", () => {
  const names = [predictionList, galleryList, deliveryList, requestList].flatMap(({ empty }) =>
    Object.keys(empty),
  );
  const timeOrPlace = ["since", "created_after", "created_before", "after", "before"];
  const words = compiledPart("en", "ui");
  expect(
    [...names, "view"].filter((name) => !timeOrPlace.includes(name) && !(`filter.${name}` in words)),
  ).toEqual([]);
});
