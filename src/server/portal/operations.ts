import { parse } from 'graphql';

/** The reads and changes of the portal, as operations of the graph. A customer token may use each of them. */
export const externalIdOf = parse(/* GraphQL */ `
  query PortalCustomer($id: ID!) {
    customer(id: $id) { externalId }
  }
`);

export const readBilling = parse(/* GraphQL */ `
  query PortalBilling(
    $externalId: String!, $id: ID!, $first: Int, $after: String, $last: Int, $before: String
    $documentsFirst: Int, $documentsAfter: String, $documentsLast: Int, $documentsBefore: String
  ) {
    billing: customerBilling(externalId: $externalId) {
      mayPause optionalMails
      prepaidOffer { currency amounts minimum maximum validDays }
      seller { name logo { dataUrl } bankAccount { holder iban bic } }
      customer {
        id name email currency creditBalance prepaidBalance collectionMethod livemode mailsOff
        usageMeterBalances { name used granted overage rolledOver runsOutAt }
        resourceUsages { resource { name } capacity claimed reserved }
      }
      subscriptions {
        id name status currency interval intervalCount currentBillingPeriodEnd trialEnd cancelScheduledAt
        pauseScheduledAt resumesAt
        isFreePlan renews nextStep paymentActionUrl scheduledAdjustmentAt
        price { id }
        pricedItems { id name quantity amount amountAfterTrial trialEnd priceId }
      }
      paymentMethods { id type default paymentMethodData refusedAt }
    }
    alerts(
      first: 50, orderBy: created_at_asc, where: { customer: { is: $id }, active: true }
    ) {
      nodes {
        kind threshold percentages hardLimit name
        usageMeter { name }
        subscription { id name }
        crossings(first: 20, orderBy: created_at_desc, where: { ended: false }) {
          nodes { percentage subscription { id currentBillingPeriodEnd } billingPeriod { endDate } }
        }
      }
    }
    prepaidCredits(
      first: 50, orderBy: created_at_asc, where: { customer: { is: $id }, remaining: { min: 1 } }
    ) {
      nodes { source currency amount remaining priority expiresAt }
    }
    orders: prepaidCredits(
      first: 20, orderBy: created_at_desc, where: { customer: { is: $id }, granted: false }
    ) {
      nodes { id status source boughtByCustomer currency amount
        invoice { id invoiceNumber status collectionMethod currency amountDue dueDate pdfURL paymentActionUrl } }
    }
    invoices(
      first: $first, after: $after, last: $last, before: $before, orderBy: created_at_desc
      where: { customer: { is: $id }, status: { in: [open, paid, refunded, partially_refunded, awaiting_payment_confirmation] } }
    ) {
      nodes { id invoiceNumber invoiceDate dueDate status currency total amountDue isBeingReplaced pdfURL receiptPdfURL
        eInvoice { ublURL facturxURL }
        consolidatedInvoice { id invoiceNumber pdfURL receiptPdfURL } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
    due: invoices(first: 100, orderBy: created_at_asc, where: { customer: { is: $id }, status: { is: open } }) {
      nodes { id currency amountDue isBeingReplaced consolidatedInvoiceId }
    }
    documents: consolidatedInvoices(
      first: $documentsFirst, after: $documentsAfter, last: $documentsLast, before: $documentsBefore
      orderBy: created_at_desc, where: { customer: { is: $id } }
    ) {
      nodes { id invoiceNumber invoiceDate dueDate status currency total amountDue pdfURL receiptPdfURL }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);

export const readPlans = parse(/* GraphQL */ `
  query PortalPlans($currency: String!) {
    plans: prices(first: 100, where: { active: true, type: { is: subscription }, currency: { is: $currency } }) {
      nodes {
        id name amount: amountFor(quantity: 1) currency intervalUnit intervalCount
        unitPrice model tiers { upTo unitPrice flatFee } packageSize freeUnits minimumAmount maximumAmount
        product { name description default addOn }
      }
    }
  }
`);

export const previewPlan = parse(/* GraphQL */ `
  mutation PortalPreview($id: ID!, $adjustment: AdjustSubscriptionInput!) {
    previewed: previewSubscriptionAdjustment(id: $id, adjustment: $adjustment) {
      adjustmentPreview {
        canAdjust reason amountDue prorationAmount creditAmount currentPlanTotal newPlanTotal resolvedTiming effectiveDate
        paymentMethod { type brand last4 }
      }
    }
  }
`);

export const changePlan = parse(/* GraphQL */ `
  mutation PortalChange($id: ID!, $adjustment: AdjustSubscriptionInput!) {
    adjustSubscription(id: $id, adjustment: $adjustment) { resolvedTiming billingRunId }
  }
`);

export const keepPlan = parse(/* GraphQL */ `
  mutation PortalKeepPlan($id: ID!) {
    cancelScheduledAdjustment(id: $id) { canceledItemCount }
  }
`);

export const cancel = parse(/* GraphQL */ `
  mutation PortalCancel($id: ID!) {
    cancelSubscription(id: $id, cancellation: { timing: at_end_of_current_billing_period }) { subscription { id } }
  }
`);

export const uncancel = parse(/* GraphQL */ `
  mutation PortalUncancel($id: ID!) {
    uncancelSubscription(id: $id) { subscription { id } }
  }
`);

export const pause = parse(/* GraphQL */ `
  mutation PortalPause($id: ID!) {
    pauseSubscription(id: $id, pause: { timing: at_end_of_current_billing_period }) { subscription { id } }
  }
`);

export const resume = parse(/* GraphQL */ `
  mutation PortalResume($id: ID!) {
    resumeSubscription(id: $id) { subscription { id } }
  }
`);

export const makeDefault = parse(/* GraphQL */ `
  mutation PortalDefault($id: ID!) {
    setDefaultPaymentMethod(id: $id) { paymentMethod { id } }
  }
`);

export const detach = parse(/* GraphQL */ `
  mutation PortalDetach($id: ID!) {
    detachPaymentMethod(id: $id) { paymentMethod { id } }
  }
`);

export const pay = parse(/* GraphQL */ `
  mutation PortalPay($id: ID!) {
    payInvoice(id: $id) { invoice { id status } }
  }
`);

export const payAll = parse(/* GraphQL */ `
  mutation PortalPayAll($ids: [ID!]!) {
    payInvoices(ids: $ids) { invoices { id status } }
  }
`);

export const switchMails = parse(/* GraphQL */ `
  mutation PortalMails($customerId: ID!, $on: [MailKind!], $off: [MailKind!]) {
    switchMails(customerId: $customerId, on: $on, off: $off) { customer { id } }
  }
`);

export const buyCredit = parse(/* GraphQL */ `
  mutation PortalBuy($prepaidCredit: BuyPrepaidCreditInput!) {
    bought: buyPrepaidCredit(prepaidCredit: $prepaidCredit) {
      prepaidCredit {
        status invoice { paymentActionUrl paymentsPage(last: 1) { nodes { failureMessage } } }
      }
    }
  }
`);

export const openSetup = parse(/* GraphQL */ `
  mutation PortalSetup($customerId: ID!, $returnUrl: String!, $cancelUrl: String!) {
    createPaymentMethodSetup(
      paymentMethodSetup: { customerId: $customerId, returnUrl: $returnUrl, cancelUrl: $cancelUrl }
    ) { paymentMethodSetup { id url } }
  }
`);

export const readSetup = parse(/* GraphQL */ `
  query PortalReadSetup($id: ID!) {
    paymentMethodSetup(id: $id) { url }
  }
`);

export const completeSetup = parse(/* GraphQL */ `
  mutation PortalCompleteSetup($id: ID!) {
    completePaymentMethodSetup(id: $id) { paymentMethodSetup { status } }
  }
`);

/** The changes after which a page is read again. */
export const followChanges = /* GraphQL */ `
  subscription PortalChanges { events { sequence type } }
`;
