-- Starts a sign-in that a provider leads step by step.
-- Locks: flows (new).
create or replace function begin_provider_flow(
    p_flow uuid, p_client text, p_link_flow uuid, p_state jsonb, p_sealed bytea, p_seconds integer, p_resend_seconds integer,
    p_provider text, p_address text, p_request text)
returns void language sql as $$
    insert into flows (id, kind, client_id, link_flow, state, sealed, resend_after, expires_at)
    values (p_flow, 'provider', p_client, p_link_flow, p_state, p_sealed, now() + make_interval(secs => p_resend_seconds), now() + make_interval(secs => p_seconds));
    insert into audit_inbox (action, outcome, client_id, provider, address, request_id, detail)
    values ('provider_steps_started', 'done', p_client, p_provider, p_address, p_request, jsonb_build_object('flow', p_flow));
$$;
