// Shown at once on the way to a page of this group, whenever the folder directly below changes. A section with
// pages below pages therefore has its own. Pages with an id stand outside: a page that streams behind a loading
// state has already answered 200 when its id turns out to be unknown.
export { ListSkeleton as default } from "@/components/ui/page/skeleton";
