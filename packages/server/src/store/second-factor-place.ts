/** The place that the secret of an account's second factor is bound to. */
export const secondFactorPlace = (accountId: number): string => `second-factor ${accountId}`
