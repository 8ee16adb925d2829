-- Why a back end may not perform an action on accounts with its access key, or null. A change calls it first in its
-- transaction: a concurrent revocation waits, or the change waits for it. An account that the key does not reach is not
-- found, as in its look-ups.
-- Locks: access_keys (for share).
-- Outcomes: not_an_operator, role_too_low, not_found, null
create or replace function access_key_refusal(p_key text, p_least text, p_changed uuid[]) returns text
language plpgsql as $$
declare
    held record;
begin
    select k.role, k.revoked_at is null
                   and exists (select from clients c where c.id = k.client_id and c.disabled_at is null) as is_live
      into held from access_keys k where k.id = p_key for share of k;
    if not found or not held.is_live then
        return 'not_an_operator';
    end if;
    if operator_rank(held.role) < operator_rank(p_least) then
        return 'role_too_low';
    end if;
    if exists (select from accounts a where a.id = any (p_changed)
                  and not exists (select from reached_accounts(p_key) r where r.id = a.id)) then
        return 'not_found';
    end if;
    return null;
end $$;
