-- A server that knows nothing of second factors makes no session where one is due.
create or replace function start_session(p session_request, p_account uuid, p_identity uuid, p_action text, p_reason text, p_detail jsonb)
returns void language plpgsql as $$
begin
    if exists (select from accounts where id = p_account and (mfa or mfa_demanded or password_state <> 'usable'))
       or exists (select from clients where id = p.client_id and mfa = 'required')
    then
        raise exception 'a further step is due';
    end if;
    perform make_session(p, p_account, p_identity, p_action, p_reason, p_detail, null);
end $$;
