-- Why a back end may not perform an action on accounts with its access key, or null. A change calls it first in its
-- transaction: a concurrent revocation waits, or the change waits for it. `p_reach`: the reach that the action needs. An
-- account that the key does not reach is not found, as in its look-ups. The app's row stays unlocked, because each sign-in
-- refers to it. A call that passed may thus commit just after a disabling, and leaves no more than one a moment earlier: each
-- later call is refused, and sessions of the app are dead (session_lives).
-- Locks: access_keys (for share).
-- Outcomes: not_an_operator, out_of_reach, role_too_low, not_found, null
create or replace function access_key_refusal(p_key text, p_least text, p_reach text, p_changed uuid[]) returns text
language plpgsql as $$
declare
    held record;
begin
    select k.role, k.reach, is_live_key(k) as is_live
      into held from access_keys k where k.id = p_key for share of k;
    if not found or not held.is_live then
        return 'not_an_operator';
    end if;
    if operator_rank(held.role) < operator_rank(p_least) then
        return 'role_too_low';
    end if;
    if p_reach = 'gateway' and held.reach <> 'gateway' then
        return 'out_of_reach';
    end if;
    -- A merged account is closed: the account that has its sign-in methods decides about an undo.
    if exists (select from accounts a where a.id = any (p_changed) and a.status <> 'closed'
                  and not exists (select from reached_accounts(p_key) r where r.id = a.id)) then
        return 'not_found';
    end if;
    return null;
end $$;
