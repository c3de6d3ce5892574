export { LazyMissing as default } from "@/components/shell/shell";
