-- Why an operator may not perform an action on accounts, or null. A change calls it first in its transaction: a
-- concurrent withdrawal of the role or session waits, or the change waits for it. The session must have begun for
-- administration, because older sessions of the client live longer. No actor means the command line. Operators can't
-- change their own account; only owners change other operators. `p_recent_seconds`: the maximum age of the proof; null:
-- no limit.
-- Locks: operators (for share), sessions (for share). Both wait for a change of the role or the session, and keep it out until
-- the commit.
-- Outcomes: not_an_operator, session_ended, audience_not_allowed, step_up_required, role_too_low, reauth_required, own_account, operator_account, null
-- Invariant: an ended session stays ended.
create or replace function operator_refusal(p_actor uuid, p_session uuid, p_least text, p_recent_seconds integer, p_changed uuid[]) returns text
language plpgsql as $$
declare
    mine text;
    proof record;
begin
    if p_actor is null then
        return null;
    end if;
    select role into mine from operators where account_id = p_actor for share;
    if not found then
        return 'not_an_operator';
    end if;
    select s.acr, s.auth_time,
           s.administers
           and exists (select from clients c where c.id = s.client_id and c.disabled_at is null and s.created_at >= c.live_since and 'administration' = any (c.audiences)) as is_meant
      into proof from sessions s join accounts a on a.id = s.account_id and a.status = 'active'
     where s.id = p_session and s.account_id = p_actor and s.ended_at is null and s.idle_expires_at > now() and s.expires_at > now()
       for share of s;
    if not found then
        return 'session_ended';
    end if;
    if not proof.is_meant then
        return 'audience_not_allowed';
    end if;
    if proof.acr <> '2' then
        return 'step_up_required';
    end if;
    if operator_rank(mine) < operator_rank(p_least) then
        return 'role_too_low';
    end if;
    if proof.auth_time < now() - make_interval(secs => p_recent_seconds) then
        return 'reauth_required';
    end if;
    if p_actor = any (p_changed) then
        return 'own_account';
    end if;
    if mine <> 'owner' and exists (select from operators where account_id = any (p_changed)) then
        return 'operator_account';
    end if;
    return null;
end $$;
