// Two fixed badges, not computed (docs/decisions/0005-fixed-badges.md).
export const TOTAL_USERS_BADGE = '+15%'
export const ACTIVE_USERS_BADGE = '+8%'
/** Tooltip of the fixed badges. */
export const FIXED_BADGE_HELP = 'Fixed label, not computed'
