"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState, useTransition } from "react";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { List } from "#contract/list.ts";
import { GuideLink } from "@/components/guides/guide-link";
import { type KeyRequest, KeyRow } from "@/components/keys/key-row";
import { MemberFilter } from "@/components/team/member-filter";
import { Button } from "@/components/ui/button";
import { FilterBar } from "@/components/ui/list/filter-bar";
import { Pager } from "@/components/ui/list/pager";
import { SearchFilter } from "@/components/ui/list/search-filter";
import { Table, Th } from "@/components/ui/list/table";
import { useListView } from "@/components/ui/list/use-list-view";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { usePageRouter } from "@/components/ui/page/use-place";
import type { GatewayResult } from "@/lib/gateway/result";
import { keyList } from "@/lib/lists";
import type { KeyQuestion } from "./key-dialogs";

const KeyDialogs = dynamic(() => import("./key-dialogs").then((module) => module.KeyDialogs), { ssr: false });

interface KeysClientProps {
  keys: GatewayResult<List<ApiKey>>;
  modelIds: string[];
  /** Cost of each key this month as text, by key id. */
  spent: Readonly<Record<string, string>>;
}

/** The account's keys: permissions, expiry and last use. */
export function KeysClient({ keys, modelIds, spent }: KeysClientProps) {
  const router = usePageRouter();
  const [question, setQuestion] = useState<KeyQuestion | null>(null);
  const [loading, startTransition] = useTransition();
  const { view, change, clear, active } = useListView(keyList, startTransition);
  const canAdd = keys.ok || keys.error.code !== "route_not_found";

  return (
    <>
      <PageHeader
        title="Keys"
        description="Your programs call the gateway with these keys."
        actions={
          canAdd && (
            <Button
              variant="primary"
              icon={<Plus size={16} aria-hidden />}
              onClick={() => setQuestion({ about: "create" })}
            >
              Create key
            </Button>
          )
        }
      />
      {keys.ok && (active > 0 || keys.data.data.length > 0) && (
        <FilterBar active={active} onClear={clear}>
          <SearchFilter of="names" value={view.search} onChange={(search) => change({ search })} />
          <MemberFilter value={view.user_id} onChange={(user_id) => change({ user_id })} />
        </FilterBar>
      )}
      <div aria-busy={loading}>
        <KeysList
          keys={keys}
          spent={spent}
          filter={keyList.filterOf(view, Date.now())}
          onShowAll={active > 0 ? clear : null}
          onAdd={() => setQuestion({ about: "create" })}
          onRequest={setQuestion}
          onRetry={() => router.refresh()}
        />
      </div>
      {question && (
        <KeyDialogs
          question={question}
          modelIds={modelIds}
          onClose={() => setQuestion(null)}
          onChanged={() => {
            setQuestion(null);
            router.refresh();
          }}
        />
      )}
    </>
  );
}

interface KeysListProps {
  keys: GatewayResult<List<ApiKey>>;
  /** Cost of each key this month as text, by key id. */
  spent: Readonly<Record<string, string>>;
  /** The list's current filter, so that its total can be counted. */
  filter: object;
  /** Clears the filter; null without one. */
  onShowAll: (() => void) | null;
  onAdd: () => void;
  onRequest: (wish: KeyRequest) => void;
  onRetry: () => void;
}

function KeysList({ keys, spent, filter, onShowAll, onAdd, onRequest, onRetry }: KeysListProps) {
  if (!keys.ok) {
    return keys.error.code === "route_not_found" ? (
      <NotOffered what="key management">
        Ask the operator for keys. The key you signed in with keeps working.
      </NotOffered>
    ) : (
      <ErrorPanel error={keys.error} onRetry={onRetry} />
    );
  }
  const { data, has_more, first_id, last_id } = keys.data;
  if (data.length === 0 && onShowAll)
    return (
      <EmptyState
        title="No keys match these filters"
        body="Use other words, or show all keys. Service keys belong to the account, not to the member who created them."
        action={<Button onClick={onShowAll}>Show all keys</Button>}
      />
    );
  if (data.length === 0) {
    return (
      <EmptyState
        drawing="gate"
        title="No keys yet"
        body={
          <>
            Your programs send a key with each request. Create one key per program, so that you can revoke
            each one separately. <GuideLink to="first-call">How to make the first call</GuideLink>
          </>
        }
        action={
          <Button variant="primary" onClick={onAdd}>
            Create first key
          </Button>
        }
      />
    );
  }
  return (
    <>
      <Table label="Account keys">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th>Status</Th>
            <Th>Permissions</Th>
            <Th>Limits</Th>
            <Th numeric>Cost this month</Th>
            <Th>Last used</Th>
            <Th from="desktop">Expires</Th>
            <Th from="desktop">Created</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {data.map((key) => (
            <KeyRow key={key.id} apiKey={key} spent={spent[key.id]} onRequest={onRequest} />
          ))}
        </tbody>
      </Table>
      <Pager
        hasMore={has_more}
        first={first_id}
        last={last_id}
        count={data.length}
        total={{ route: "GET /keys", query: filter, noun: "key" }}
      />
    </>
  );
}
