-- The only path from a first factor to a session: creates it, or a flow if the account or client requires more
-- (`p_gate`: the proofs, whether the client requires a second factor, and the facts of a flow). The flow gets the id of the later session.
-- Returns signed_in or next_step. Where make_session refuses, no identity joins either.
-- Locks: flows (new), *apply_link_flow, *make_session. The caller holds the account.
-- Outcomes: deletion_waits, next_step, *apply_link_flow, *make_session
create or replace function reach_session(
    p session_request, p_account uuid, p_identity uuid, p_action text, p_reason text, p_detail jsonb, p_link_flow uuid, p_gate jsonb)
returns text language plpgsql as $$
declare
    refused text;
begin
    if p.dialect is not null and deletion_waits(p_account, null) then
        return 'deletion_waits';
    end if;
    if is_step_due(p, p_account, p_gate) then
        insert into flows (id, kind, client_id, account_id, identity_id, link_flow, new_account, proofs, state, expires_at)
        values (p.id, 'sign_in', p.client_id, p_account, p_identity, p_link_flow, p_action = 'account_created', p_gate->'proofs', p_gate->'facts',
                now() + make_interval(secs => p.flow_seconds));
        insert into audit_inbox (action, outcome, reason, account_id, identity_id, client_id, provider, address, request_id, detail)
        values (case p_action when 'signed_in' then 'first_factor_proved' else p_action end, 'done', p_reason, p_account, p_identity,
                p.client_id, p.provider, p.address, p.request_id,
                coalesce(p_detail, '{}') || jsonb_build_object('flow', p.id));
        return 'next_step';
    end if;
    if p_link_flow is not null then
        refused := apply_link_flow(p_link_flow, p_account, p.client_id, p.id, p.request_id);
        if refused is not null then
            return refused;
        end if;
    end if;
    return make_session(p, p_account, p_identity, p_action, p_reason, p_detail, p_gate->'proofs');
end $$;
