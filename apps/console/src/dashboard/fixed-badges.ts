// The two badges that the specification fixes (spec §2, Dashboard; decision 5): nobody computes them.
export const TOTAL_USERS_BADGE = '+15%'
export const ACTIVE_USERS_BADGE = '+8%'
/** What they tell about themselves (design §5.7). */
export const FIXED_BADGE_HELP = 'Fixed label, not computed'
