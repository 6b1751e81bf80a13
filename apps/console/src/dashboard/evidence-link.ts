/** Link from a figure to the list of the counted records. */
export type EvidenceLink = {
  to: '/users' | '/tenants'
  search?: {
    [Filter in 'role' | 'is_active' | 'tenant_id' | 'status' | 'created_from' | 'sort']?: string
  }
}
