-- Ends every session that began before a moment, of one client or of all. One audit row tells of them together; every
-- server forgets all that it believes about sessions.
create or replace function revoke_sessions(p_before timestamptz, p_client text, p_reason text, p_request text) returns integer
language plpgsql as $$
declare
    ended integer;
begin
    perform 1 from sessions
      where created_at < p_before and ended_at is null and (p_client is null or client_id = p_client)
      order by id for no key update;
    update sessions set ended_at = now(), end_reason = 'revoked_by_operator'
     where created_at < p_before and ended_at is null and (p_client is null or client_id = p_client);
    get diagnostics ended = row_count;
    insert into audit_events (action, outcome, reason, client_id, request_id, detail)
    values ('sessions_revoked', 'done', p_reason, p_client, p_request,
            jsonb_build_object('issued_before', p_before, 'sessions', ended));
    perform pg_notify('gateway_sessions', 'all');
    return ended;
end $$;
