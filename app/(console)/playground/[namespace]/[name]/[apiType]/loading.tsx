import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <div data-wide aria-busy className="flex flex-col gap-5">
      <Skeleton className="h-14 w-80 max-w-full" />
      <div className="grid grid-cols-1 gap-4 desktop:grid-cols-2">
        <Skeleton className="h-[520px] w-full" />
        <Skeleton className="h-80 w-full max-desktop:hidden" />
      </div>
    </div>
  );
}
