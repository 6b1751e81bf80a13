/** Where a figure leads: the list that proves it, narrowed to what was counted. */
export type Proof = {
  to: '/users' | '/tenants'
  search?: {
    [Filter in 'role' | 'is_active' | 'tenant_id' | 'status' | 'created_from' | 'sort']?: string
  }
}
