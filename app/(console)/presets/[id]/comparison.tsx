import { DifferenceList } from "@/components/presets/difference-list";
import { VersionChoice } from "@/components/presets/version-choice";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { Section } from "@/components/ui/page/section";
import { differencesOf } from "@/lib/presets/differences";
import type { FormPlan } from "@/lib/schema-form/plan";
import { requestRoute } from "@/lib/server/gateway/request";

interface ComparisonProps {
  id: string;
  /** Those that are kept, newest first. */
  versions: readonly number[];
  from: number;
  to: number;
  plan: FormPlan;
}

/** What two versions of a preset have differently, in words. */
export async function Comparison({ id, versions, from, to, plan }: ComparisonProps) {
  const read = (version: number) =>
    requestRoute("GET /presets/{id}/versions/{version}", { params: { id, version: String(version) } });
  const [before, after] = await Promise.all([read(from), read(to)]);
  const failed = [before, after].find((answer) => !answer.ok);
  return (
    <Section title="What changed" actions={<VersionChoice id={id} versions={versions} from={from} to={to} />}>
      {failed && !failed.ok && <LoadFailure error={failed.error} />}
      {before.ok && after.ok && <DifferenceList differences={differencesOf(before.data, after.data, plan)} />}
    </Section>
  );
}
