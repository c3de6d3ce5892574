/** Everything needed to find an upstream job again; stored with the prediction, removed with its data. */
export interface ProviderRef {
  provider: string;
  [key: string]: unknown;
}
