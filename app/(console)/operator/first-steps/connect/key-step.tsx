import { Suspense } from "react";
import { LinkButton } from "@/components/ui/button";
import { Link } from "@/components/ui/page/link";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { Section } from "@/components/ui/page/section";
import { connectedHref, guideHref } from "@/lib/operator/connecting";
import { FoundServersSection } from "../../providers/found-servers-section.tsx";
import { NewProvider } from "../../providers/new/new-provider.tsx";
import { readNewProvider } from "../../providers/new/read-new-provider.ts";

/** What is connected, and its key; or the way on with one that is connected already. */
export async function KeyStep({ wanted }: { wanted: string | null }) {
  const read = await readNewProvider();
  if (!read.ok) return <LoadFailure error={read.error} />;
  const preset = read.data.presets.find(({ id }) => id === wanted);
  const connected = read.data.providers.data.filter(({ status }) => status === "active");
  if (preset)
    return (
      <Section
        title={preset.name}
        description={preset.note ?? undefined}
        actions={
          <LinkButton size="sm" href={guideHref}>
            Pick another
          </LinkButton>
        }
      >
        <NewProvider preset={preset} read={read.data} guided />
      </Section>
    );
  return (
    <>
      {connected.length > 0 && (
        <Section title="Go on with one that is connected">
          <ul className="flex flex-wrap gap-2">
            {connected.map(({ id, name }) => (
              <li key={id}>
                <LinkButton size="sm" href={connectedHref(id, true)}>
                  {name}
                </LinkButton>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Suspense>
        <FoundServersSection guided />
      </Suspense>
      <NewProvider preset={undefined} read={read.data} guided />
      <p className="text-muted">
        Nothing to connect yet?{" "}
        <Link href="/catalog" className="text-accent underline underline-offset-2">
          Try the models on the sandbox
        </Link>{" "}
        first.
      </p>
    </>
  );
}
