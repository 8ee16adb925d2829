-- Starts a step-up with the proofs of the session. A session at the higher level keeps its first factor and proves the
-- second again: otherwise a stolen session could be renewed without proof. Without a second factor it renews a session that
-- rests on a provider's answer of unknown age: any dated proof takes the place of that answer.
-- Locks: flows (new).
-- Outcomes: session_ended, no_second_factor, next_step
create or replace function begin_step_up(p_account uuid, p_session uuid, p_flow uuid, p_state jsonb, p_seconds integer, p_address text, p_request text)
returns text language plpgsql as $$
declare
    session record;
    proved  jsonb;
    renews  boolean;
begin
    select s.*, a.mfa or exists (select from passkeys k where k.account_id = a.id) as has_second into session
      from sessions s join accounts a on a.id = s.account_id and a.status = 'active'
     where s.id = p_session and s.account_id = p_account and s.ended_at is null and s.expires_at > now();
    if not found then
        return 'session_ended';
    end if;
    renews := not session.has_second and is_undated(session.proofs) and can_prove_again(p_account);
    if not (session.has_second or renews) then
        return 'no_second_factor';
    end if;
    proved := coalesce(session.proofs, '[]');
    if session.acr = '2' then
        proved := case when proved->0->>'kind' = 'verified_passkey' or proved = '[]' then '[]' else jsonb_build_array(proved->0) end;
    end if;
    insert into flows (id, kind, client_id, account_id, identity_id, session_id, renews, proofs, state, expires_at)
    values (p_flow, 'sign_in', session.client_id, p_account, session.identity_id, p_session, renews, proved, p_state,
            now() + make_interval(secs => p_seconds));
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('step_up_started', 'done', p_account, p_session, session.client_id, p_address, p_request, jsonb_build_object('flow', p_flow));
    return 'next_step';
end $$;
