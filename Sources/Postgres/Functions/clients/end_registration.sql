-- Disables a client that registered itself, at its own wish, which ends its sessions, and forgets what users granted.
-- Locks: clients, app_grants.
create or replace function end_registration(p_client text, p_address text, p_request text) returns void language plpgsql as $$
begin
    update clients set disabled_at = now(), withdrawn = true where id = p_client and origin = 'registration' and disabled_at is null;
    if not found then
        return;
    end if;
    delete from app_grants where client_id = p_client;
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id)
    values ('client_changed', 'done', 'registration_ended', p_client, p_address, p_request);
end $$;
