"use client";

import type { ApiKey } from "#contract/accounts/keys.ts";
import type { List } from "#contract/list.ts";
import { GuideLink } from "@/components/guides/guide-link";
import { Button } from "@/components/ui/button";
import { Pager } from "@/components/ui/list/pager";
import { Table, Th } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import type { GatewayResult } from "@/lib/gateway/result";
import { KeyRow, type KeyWish } from "./key-row.tsx";

interface KeysListProps {
  keys: GatewayResult<List<ApiKey>>;
  /** What keys cost this month, in words, by key id. */
  spent: Readonly<Record<string, string>>;
  /** What the list is narrowed to, for its total. */
  filter: object;
  /** Where the list is narrowed. */
  onShowAll: (() => void) | null;
  onAdd: () => void;
  onWish: (wish: KeyWish) => void;
  onRetry: () => void;
}

export function KeysList({ keys, spent, filter, onShowAll, onAdd, onWish, onRetry }: KeysListProps) {
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
            <KeyRow key={key.id} apiKey={key} spent={spent[key.id]} onWish={onWish} />
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
