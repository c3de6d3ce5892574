import { useQuery } from "@tanstack/react-query";
import { type Control, Controller } from "react-hook-form";
import { pageLimit } from "#contract/list-constants.ts";
import { CheckList } from "@/components/keys/check-list";
import { useAccess } from "@/components/team/access";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import type { EndpointValues } from "@/lib/webhooks/endpoint-values";

const freshMs = 60_000;

/** Filters an endpoint's events by key and model. */
export function EventFilters({ control }: { control: Control<EndpointValues> }) {
  const { may } = useAccess();
  const models = useQuery({
    queryKey: queryKeys.models(),
    queryFn: ({ signal }) => fetchRoute("GET /models", { signal }),
    staleTime: freshMs,
    select: ({ data }) => data.map(({ id }) => ({ value: id, label: id })),
  });
  const keys = useQuery({
    queryKey: [...queryKeys.keys(), "filter"],
    queryFn: ({ signal }) => fetchRoute("GET /keys", { query: { limit: pageLimit.max }, signal }),
    staleTime: freshMs,
    select: ({ data }) => data.map(({ id, name }) => ({ value: id, label: name })),
    enabled: may("keys:own"),
  });
  return (
    <>
      <Controller
        control={control}
        name="models"
        render={({ field, fieldState }) => (
          <CheckList
            legend="Only these models"
            hint={hintOf(models, "models", "None chosen: events of all models.")}
            options={withChosen(models.data, field.value)}
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
            scrolls
          />
        )}
      />
      <Controller
        control={control}
        name="keys"
        render={({ field, fieldState }) => (
          <CheckList
            legend="Only events of these keys"
            hint={hintOf(keys, "keys", "None chosen: events of all keys and members.")}
            options={withChosen(keys.data, field.value)}
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
            scrolls
          />
        )}
      />
    </>
  );
}

type Options = { value: string; label: string }[];

/** Adds earlier choices that are not among the options, such as a revoked key. */
function withChosen(options: Options = [], chosen: readonly string[]): Options {
  const missing = chosen.filter((id) => !options.some(({ value }) => value === id));
  return [...options, ...missing.map((id) => ({ value: id, label: id }))];
}

function hintOf(list: { isError: boolean; isLoading: boolean }, name: string, hint: string): string {
  if (list.isError) return `The ${name} could not be loaded. Close this form and open it again.`;
  return list.isLoading ? "Loading …" : hint;
}
