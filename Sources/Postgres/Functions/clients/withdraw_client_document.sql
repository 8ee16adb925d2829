-- Disables the client of a document that is gone, which ends its sessions. It stays unchanged if it is disabled already.
-- Locks: client_documents, clients.
create or replace function withdraw_client_document(p_url text, p_address text, p_request text) returns void language plpgsql as $$
declare
    gone text;
begin
    update client_documents d set withdrawn_at = now()
      from clients c
     where d.url = p_url and c.id = d.client_id and c.disabled_at is null
    returning d.client_id into gone;
    if not found then
        return;
    end if;
    update clients set disabled_at = now() where id = gone;
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
    values ('client_changed', 'done', 'document_withdrawn', gone, p_address, p_request, jsonb_build_object('document', p_url));
end $$;
