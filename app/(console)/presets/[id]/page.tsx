import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { inAccount } from "@/lib/account-path";
import type { RouteProps } from "@/lib/page-props";
import { presetHref } from "@/lib/presets/address";
import { requestRoute } from "@/lib/server/gateway/request";
import { addressedAccount, requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Preset" };

/** The address with which a preset is shared: it opens in the playground of its operation. */
export default async function PresetPage({ params }: Pick<RouteProps<{ id: string }>, "params">) {
  await requireSession();
  const preset = await requestRoute("GET /presets/{id}", { params: { id: (await params).id } });
  if (preset.ok) redirect(inAccount(await addressedAccount(), presetHref(preset.data)));
  if (preset.error.code === "preset_not_found") notFound();
  return (
    <>
      <PageHeader title="Preset" />
      {preset.error.code === "route_not_found" ? (
        <NotOffered what="presets">Fill in the form in the playground.</NotOffered>
      ) : (
        <LoadFailure error={preset.error} />
      )}
    </>
  );
}
