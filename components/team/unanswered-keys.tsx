import type { ApiKey } from "#contract/accounts/keys.ts";
import { Button } from "@/components/ui/button";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { useAccess } from "./access.tsx";
import { Permitted } from "./permitted.tsx";

interface UnansweredKeysProps {
  keys: readonly ApiKey[];
  onTakeOver: (key: ApiKey) => void;
}

/** Service keys that nobody is responsible for, and a way to take each over. */
export function UnansweredKeys({ keys, onTakeOver }: UnansweredKeysProps) {
  const { userId } = useAccess();
  if (keys.length === 0) return null;
  return (
    <Section
      title="Service keys without a responsible person"
      description="Adult and portrait operations with these keys are refused until an owner or admin takes them over."
    >
      <Table label="Service keys without a responsible person">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th>Created by</Th>
            <Th>Last used</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Tr key={key.id}>
              <Td className="max-w-72 min-w-32">
                <span className="font-medium text-ink wrap-anywhere">{key.name}</span>
                <code className="block text-meta text-muted">{key.hint}</code>
              </Td>
              <Td className="max-w-40 wrap-anywhere" label="Created by">
                {key.created_by?.name ?? <span className="text-faint">–</span>}
              </Td>
              <Td label="Last used">
                {key.last_used_at ? (
                  <Time value={key.last_used_at} />
                ) : (
                  <span className="text-muted">never</span>
                )}
              </Td>
              <Td className="text-right">
                {userId !== null && (
                  <Permitted to="attestations:answer">
                    <Button size="sm" aria-label={`Take over ${key.name}`} onClick={() => onTakeOver(key)}>
                      Take over…
                    </Button>
                  </Permitted>
                )}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
