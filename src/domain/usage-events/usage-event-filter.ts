/** The filter of a list of usage events; null and absent fields do not restrict. */
export interface UsageEventFilter {
  readonly subscription?: string | null | undefined;
  readonly usageMeter?: string | null | undefined;
  readonly billingPeriod?: string | null | undefined;
  /** Used at this time or later. */
  readonly from?: Date | null | undefined;
  /** Used before this time. */
  readonly to?: Date | null | undefined;
  readonly property?: { readonly name: string; readonly value?: unknown } | null | undefined;
  readonly voided?: boolean | null | undefined;
}

/** The filter as a condition on columns; undefined for the whole list, whose length is known. */
export function usageEventFilter(filter: UsageEventFilter | null | undefined): object | undefined {
  const { subscription, usageMeter, billingPeriod, from, to, property, voided } = filter ?? {};
  const where = {
    ...(subscription != null && { subscriptionId: subscription }),
    ...(usageMeter != null && { usageMeterId: usageMeter }),
    ...(billingPeriod != null && { billingPeriodId: billingPeriod }),
    ...((from ?? to) != null && {
      usageDate: { ...(from != null && { $gte: from }), ...(to != null && { $lt: to }) },
    }),
    ...(property != null && { properties: { $contains: { [property.name]: property.value } } }),
    ...(voided != null && { voidedAt: voided ? { $ne: null } : null }),
  };
  return Object.keys(where).length > 0 ? where : undefined;
}
